//! `nimwave report` from outside, and its page in a browser without a window.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::skipped;

fn nimwave(folder: &Path, arguments: &[&str]) -> Output {
    crate::support::nimwave().current_dir(folder).args(arguments).output().unwrap()
}

fn good(folder: &Path, arguments: &str) -> String {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let output = nimwave(folder, &words);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// The page as the browser has it after running `script` in it; `None` where there is no browser.
fn in_browser(folder: &Path, page: &str, script: &str) -> Option<Value> {
    let mut html = std::fs::read_to_string(folder.join(page)).unwrap();
    // Its own element at the end: the page's scripts have run by then. Errors of any script are part of the answer.
    let runner = format!(
        "<script>window.answer = []; try {{ {script} }} catch (error) {{ answer.push('error: ' + error.stack); }}\n\
         const out = document.createElement('pre'); out.id = 'answer'; out.textContent = JSON.stringify(window.answer); document.body.append(out);</script>"
    );
    let first = "<script>window.failures = []; window.addEventListener('error', (event) => window.failures.push(event.message));</script>";
    html = html.replace("<body>", &format!("<body>{first}")).replace("</body>", &format!("{runner}</body>"));
    let tested = folder.join("tested.html");
    std::fs::write(&tested, html).unwrap();
    for browser in ["chromium", "chromium-browser", "google-chrome"] {
        let profile = folder.join("profile");
        let run = Command::new(browser)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
            ])
            .arg(format!("--user-data-dir={}", profile.display()))
            .args(["--window-size=1100,900", "--timeout=20000", "--dump-dom"])
            .arg(format!("file://{}", tested.display()))
            .output();
        let Ok(output) = run else { continue };
        let dom = String::from_utf8_lossy(&output.stdout).into_owned();
        let answer = dom.split("<pre id=\"answer\">").nth(1).and_then(|rest| rest.split("</pre>").next());
        let answer = answer.unwrap_or_else(|| {
            panic!("no answer from {browser}: {}", String::from_utf8_lossy(&output.stderr))
        });
        let answer = answer.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        return Some(serde_json::from_str(&answer).unwrap());
    }
    skipped("no chromium here; install it (apt-get install chromium) to test the page in a browser");
    None
}

/// Looks at positions of the table's slices: moves sliders, points at cells, and collects what the page says.
const LOOK: &str = r#"
const tools = [...document.querySelectorAll(".tool")].filter((tool) => tool.querySelector("input[type=range]"));
for (const tool of tools) {
  const sliders = [...tool.querySelectorAll("input[type=range]")], canvas = tool.querySelector("canvas"), readout = tool.querySelector(".readout");
  const max = Number(sliders[0].max);
  let seed = 12345;
  const random = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % n; };
  for (let round = 0; round < 6; round++) {
    for (const slider of sliders) { slider.value = random(max + 1); slider.dispatchEvent(new Event("input")); }
    // A cell under the pointer: the two last heaps are on the axes.
    const box = canvas.getBoundingClientRect(), zoom = box.width / canvas.width, side = max + 1, cell = Math.max(1, Math.floor(600 / side));
    const x = random(side), y = random(side);
    canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + (36 + (x + 0.5) * cell) * zoom, clientY: box.top + (8 + (side - 1 - y + 0.5) * cell) * zoom }));
    const expected = sliders.map((slider) => Number(slider.value));
    answer.push({ tool: tool.id, x, y, heaps: expected, position: JSON.parse(readout.dataset.position), outcome: readout.dataset.outcome, winning: JSON.parse(readout.dataset.winning), value: readout.dataset.value === undefined ? null : Number(readout.dataset.value) });
  }
  canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
}
answer.push(window.failures);
"#;

#[test]
fn the_page_says_what_query_says_for_every_game() {
    let folder = TempDir::new().unwrap();
    let at = folder.path();
    let games = [
        ("minnie", "--heaps 4 --max 14", ""),
        ("minnie", "--heaps 3 --max 20 --values", ""),
        ("minnie", "--heaps 3 --max 20 --misere", "--misere"),
        ("nim", "--heaps 3 --max 15 --values", ""),
        ("mine", "--heaps 2 --max 20", ""),
        ("wynnie", "--heaps 3 --max 10 --values --together all", "--together all"),
        ("wythoff", "--heaps 2 --max 30 --values", ""),
        ("nimb", "--heaps 3 --max 12", ""),
        ("susen", "--heaps 3 --max 12 --values", ""),
        ("jennifer", "--heaps 3 --max 12", ""),
        ("euclid", "--heaps 2 --max 30 --to-zero", "--to-zero"),
        ("greedy-nim", "--heaps 3 --max 12", ""),
        ("maximum-nim", "--heaps 2 --max 30 --values --rule half", "--rule half"),
        ("queen", "--heaps 2 --max 20 --values", ""),
        ("shared-factor", "--heaps 3 --max 14 --rules rules.toml", "--rules rules.toml"),
        ("never-four", "--heaps 3 --max 12 --values --rules rules.toml", "--rules rules.toml"),
    ];
    std::fs::write(
        at.join("rules.toml"),
        "[[rule]]\nname = 'shared-factor'\nrule = 'take s from one or two heaps where gcd(s, max) > 1 or s = 1'\n\
         [[rule]]\nname = 'never-four'\nrule = 'take s from one heap where s <= min, positions where every x: x != 4'\n",
    )
    .unwrap();
    let mut folders = String::new();
    for (i, (game, arguments, _)) in games.iter().enumerate() {
        good(at, &format!("-q solve {game} {arguments} --out t{i}"));
        folders += &format!(" t{i}");
    }
    good(at, &format!("report{folders} -o report.html"));
    let Some(answers) = in_browser(at, "report.html", LOOK) else { return };
    let answers = answers.as_array().unwrap();
    assert_eq!(answers.last(), Some(&json!([])), "scripts failed");
    let seen = &answers[..answers.len() - 1];
    assert_eq!(seen.len(), 6 * games.len(), "{seen:?}");
    let mut checked = 0;
    for (i, answer) in seen.iter().enumerate() {
        let (game, arguments, variant) = games[i / 6];
        let heaps: Vec<u64> =
            answer["heaps"].as_array().unwrap().iter().map(|heap| heap.as_u64().unwrap()).collect();
        // The pointer set the two last heaps to the cell.
        assert_eq!(
            heaps[heaps.len() - 2..],
            [answer["x"].as_u64().unwrap(), answer["y"].as_u64().unwrap()],
            "{answer}"
        );
        let position: Vec<String> = heaps.iter().filter(|&&heap| heap > 0).map(u64::to_string).collect();
        let what = if position.is_empty() { "[]".to_string() } else { position.join(" ") };
        let output = nimwave(
            at,
            &format!("--json query {game} {variant} {what}").split_whitespace().collect::<Vec<_>>(),
        );
        if String::from_utf8_lossy(&output.stderr).contains("is not a position") {
            assert_eq!(answer["outcome"], "", "{game} {what}");
            continue;
        }
        let expected: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{game} {what}: {}", String::from_utf8_lossy(&output.stderr)));
        assert_eq!(answer["position"], expected["position"], "{game} {what}");
        assert_eq!(answer["outcome"], expected["outcome"], "{game} {what}");
        if answer["outcome"] == "N" {
            assert_eq!(answer["winning"], expected["winning_moves"], "{game} {variant} {what}");
        }
        if arguments.contains("--values") && !expected["value"].is_null() {
            assert_eq!(answer["value"], expected["value"], "{game} {what}");
        }
        checked += 1;
    }
    assert!(checked > 5 * games.len());
}

#[test]
fn a_sequence_is_zoomed_and_read() {
    let folder = TempDir::new().unwrap();
    let at = folder.path();
    good(at, "-q solve octal 0.6 --terms 40000 --out officers");
    good(at, "report officers -o whole.html");
    // So little room that most terms are only there as densities.
    good(at, "report officers -o part.html --embed 200k");
    let script = r#"
const tool = document.querySelector(".tool"), canvas = tool.querySelector("canvas"), readout = tool.querySelector(".readout"), inputs = tool.querySelectorAll("input[type=number]");
answer.push([readout.dataset.from, readout.dataset.to].map(Number));
inputs[0].value = 1000; inputs[1].value = 1100; inputs[0].dispatchEvent(new Event("change"));
answer.push([readout.dataset.from, readout.dataset.to].map(Number));
const box = canvas.getBoundingClientRect(), zoom = box.width / canvas.width;
for (let n = 1000; n < 1100; n += 9) {
  canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + (56 + ((n + 0.5 - 1000) / 100) * 930) * zoom, clientY: box.top + 50 }));
  answer.push([Number(readout.dataset.n), Number(readout.dataset.value)]);
}
canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "+" }));
answer.push(Number(readout.dataset.to) - Number(readout.dataset.from));
tool.querySelector("button[aria-label='the whole sequence']").click();
answer.push([readout.dataset.from, readout.dataset.to].map(Number));
answer.push(window.failures);
"#;
    for page in ["whole.html", "part.html"] {
        let Some(answers) = in_browser(at, page, script) else { return };
        let answers = answers.as_array().unwrap();
        assert_eq!(answers[0], json!([0, 40000]), "{page}");
        assert_eq!(answers[1], json!([1000, 1100]), "{page}");
        assert_eq!(answers[answers.len() - 3], json!(50), "{page}");
        assert_eq!(answers[answers.len() - 2], json!([0, 40000]), "{page}");
        assert_eq!(answers[answers.len() - 1], json!([]), "{page}");
        for (i, read) in answers[2..answers.len() - 3].iter().enumerate() {
            let n = 1000 + 9 * i;
            let expected: Value =
                serde_json::from_str(&good(at, &format!("--json query octal 0.6 {n}"))).unwrap();
            assert_eq!(*read, json!([n, expected["values"][0]]), "{page}");
        }
    }
}

#[test]
fn the_page_needs_nothing_else_and_shows_what_the_manifest_says() {
    let folder = TempDir::new().unwrap();
    let at = folder.path();
    good(at, "-q solve minnie --heaps 3 --max 40 --out tables/m3");
    good(at, "-q solve minnie --heaps 2 --max 40 --values --out tables/m2");
    good(at, "-q verify tables/m3 --full");
    // A folder that holds tables stands for all of them.
    let text = good(at, "report tables -o report.html");
    assert!(text.starts_with("2 tables"), "{text}");
    let html = std::fs::read_to_string(at.join("report.html")).unwrap();
    let info: Value = serde_json::from_str(&good(at, "--json info tables/m3")).unwrap();
    assert!(html.contains(info["checksums"]["blake3"].as_str().unwrap()));
    assert!(html.contains("every entry") && html.contains("not yet"));
    for outside in ["http:", "https:", "src=\"/", "@import", "url("] {
        assert!(!html.contains(outside), "the page refers to {outside}");
    }
    assert!(html.len() < 2_000_000);
}

#[test]
fn the_page_of_a_batch_shows_its_jobs_results_tables_and_pictures() {
    let folder = TempDir::new().unwrap();
    let at = folder.path();
    let jobs = r#"
        output = "night"
        [[job]]
        name = "m3"
        command = "solve minnie --heaps 3 --max 30 --out m3"
        [[job]]
        name = "check"
        command = "verify m3 --full"
        after = ["m3"]
        [[job]]
        name = "picture"
        command = "plot slice m3 --fixed 4 --out slice.png"
        after = ["m3"]
        [[job]]
        name = "kayles"
        command = "period octal kayles"
        [[job]]
        name = "absent"
        command = "verify nothing"
    "#;
    std::fs::write(at.join("night.toml"), jobs).unwrap();
    assert_eq!(nimwave(at, &["-q", "batch", "night.toml"]).status.code(), Some(2), "one job fails");
    let output = nimwave(at, &["report", "night", "-o", "report.html"]);
    assert_eq!(output.status.code(), Some(1), "a job did not end well");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.starts_with("1 table, 5 jobs"), "{text}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("job absent: failed"));
    let html = std::fs::read_to_string(at.join("report.html")).unwrap();
    assert!(html.contains("4 of 5 jobs done") && html.contains("every entry"));
    assert!(html.contains("&quot;preperiod&quot;:71"), "what kayles printed");
    assert!(html.contains("<img alt=\"slice.png\" src=\"data:image/png;base64,"));
    // The state is a file that anybody may have written: it names no file outside its folder.
    std::fs::write(at.join("secret"), "not for the page").unwrap();
    let state = at.join("night/batch.json");
    let changed = std::fs::read_to_string(&state).unwrap().replace("jobs/kayles/result.json", "../secret");
    assert!(changed.contains("../secret"));
    std::fs::write(&state, changed).unwrap();
    nimwave(at, &["report", "night", "-o", "report.html"]);
    assert!(!std::fs::read_to_string(at.join("report.html")).unwrap().contains("not for the page"));
}

#[test]
fn the_heading_and_the_folder_are_escaped() {
    let folder = TempDir::new().unwrap();
    let at = folder.path();
    let name = "<img src=x onerror=alert(1)>&'";
    let solved = nimwave(at, &["-q", "solve", "minnie", "--heaps", "2", "--max", "9", "--out", name]);
    assert!(solved.status.success());
    let title = "</title><script>document.title='broken'</script>";
    assert!(nimwave(at, &["report", name, "-o", "report.html", "--title", title]).status.success());
    let html = std::fs::read_to_string(at.join("report.html")).unwrap();
    assert!(!html.contains("<img src=x") && !html.contains("<script>document.title"));
    let script = "answer.push(document.title, document.querySelector('h2').textContent, document.querySelectorAll('img[src=x]').length);";
    if let Some(answers) = in_browser(at, "report.html", script) {
        assert_eq!(answers, json!([title, name, 0]));
    }
}

#[test]
fn damage_is_shown_and_told_by_the_exit_code() {
    let folder = TempDir::new().unwrap();
    let at = folder.path();
    good(at, "-q solve minnie --heaps 3 --max 30 --out good");
    good(at, "-q solve minnie --heaps 3 --max 30 --out bad");
    let path = at.join("bad/outcomes.npy");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[200] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let output = nimwave(at, &["report", "good", "bad", "-o", "report.html"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("damaged"));
    let html = std::fs::read_to_string(at.join("report.html")).unwrap();
    assert!(html.contains("checksum does not match"), "the page says what is wrong");
    std::fs::create_dir(at.join("empty")).unwrap();
    for (arguments, remedy) in [(["report", "empty"], "solve --out"), (["report", "none"], "check the path")]
    {
        let output = nimwave(at, &arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(remedy));
    }
}
