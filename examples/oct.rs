//! scratch
use nimwave::sweep::kernel::octal::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let g: nimwave::rules::OctalGame = a[1].parse().unwrap();
    let n: usize = a[2].parse().unwrap();
    let isa = match a.get(3).map(|s| s.as_str()) { Some("p") => Isa::Portable, Some("2") => Isa::Avx2, _ => Isa::detect() };
    let mut v = vec![0u16; n + 1];
    let t = std::time::Instant::now();
    let th = a.get(4).map_or(1, |s| s.parse().unwrap());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(th).build().unwrap();
    let _ = pool; let mut e = Engine::new(&g, EngineOptions{threads: th, isa, method: match std::env::var("RAW").as_deref() { Ok("1") => Method::Marks, Ok("0") => Method::Rows, _ => Method::Auto}}); e.extend(&mut v, 0).unwrap(); eprintln!("{:?} {:?}", e.split(), e.statistics());
    let e = t.elapsed().as_secs_f64();
    let (mut c0, mut c1) = (0u16, 0u16);
    for &x in &v { c0 = c0.wrapping_add(x); c1 = c1.wrapping_add(c0); }
    if std::env::var("CHECK").is_ok() { check(&g, &v); }
    if let Ok(p) = std::env::var("DUMP") { std::fs::write(p, v.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>()).unwrap(); }
    println!("{g} {n}: last {} checksum {:X} {e:.3}s {:.0}/s", v[n], ((c1 as u32) << 16) | c0 as u32, n as f64 / e);
}
#[allow(dead_code)]
fn check(g: &nimwave::rules::OctalGame, v: &[u16]) {
    let w = naive_sequence(g, v.len()).unwrap();
    for n in 0..v.len() { if v[n] != w[n] { println!("MISMATCH at {n}: {} should be {}", v[n], w[n]); return; } }
}
