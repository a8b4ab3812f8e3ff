//! The index of a table also numbers heaps that are not a position, such as equal ones in mine: nothing counts, lists or
//! draws them.

use crate::support::{Ran, run};

use nimwave::base::numbers::grouped;
use serde_json::Value;

fn numbers(line: &str) -> Vec<u32> {
    line.split(',').map(|number| number.parse().unwrap()).collect()
}

fn all_different(heaps: &[u32]) -> bool {
    let there: Vec<u32> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
    there.iter().enumerate().all(|(i, heap)| !there[..i].contains(heap))
}

#[track_caller]
fn lines(ran: Ran) -> Vec<Vec<u32>> {
    ran.out.lines().skip(1).map(numbers).collect()
}

#[test]
fn entries_that_are_no_positions_are_neither_counted_nor_exported_nor_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    for (game, quantity) in
        [("mine", None), ("mine", Some("--values")), ("nimtb", None), ("nimtb", Some("--values"))]
    {
        let table = path(&format!("{game}{}", quantity.unwrap_or_default()));
        let mut words = vec!["--json", "solve", game, "--heaps", "3", "--max", "30", "--out", &table];
        words.extend(quantity);
        let solved = run(&words).code(0).json();
        let export =
            |more: &[&str]| lines(run(&[&["export", &table, "--format", "csv"], more].concat()).code(0));
        let p = export(&["--p-positions"]);
        assert!(p.iter().all(|heaps| all_different(heaps) && heaps[0] > 0));
        assert_eq!(solved["p_positions"], p.len());
        if game == "mine" {
            assert_eq!(p.len(), 370);
        }
        let all = export(&[]);
        assert!(all.iter().all(|row| all_different(&row[..3])));
        assert_eq!(
            (solved["positions"].as_u64(), solved["entries"].as_u64()),
            (Some(all.len() as u64), Some(5456))
        );
        let is_p =
            |row: &&Vec<u32>| (row[3] == 1) == quantity.is_none() && (row[3] == 0) == quantity.is_some();
        assert_eq!(solved["all_p_positions"], all.iter().filter(is_p).count());
        if quantity.is_some() {
            assert_eq!(solved["value_sum"], all.iter().map(|row| u64::from(row[3])).sum::<u64>());
        }
        // A P-position that is listed is one for the query as well.
        let heaps = format!("[{},{},{}]", p[7][0], p[7][1], p[7][2]);
        assert_eq!(run(&["--json", "query", game, &heaps]).code(0).json()["outcome"], "P");
        assert!(export(&["--row", "4,6"]).iter().all(|row| all_different(&[4, 6, row[0]])));
        // A matrix has an empty cell where there is no position, and only there.
        let matrix = run(&["export", &table, "--format", "csv", "--matrix", "4"]).code(0).out;
        for (x, row) in matrix.lines().skip(1).enumerate() {
            for (y, cell) in row.split(',').skip(1).enumerate() {
                assert_eq!(!cell.is_empty(), all_different(&[4, x as u32, y as u32]), "[4,{x},{y}]");
            }
        }
        run(&["export", &table, "--format", "bfile", "--row", "4,6"]).refused(&["without gaps"]);
        // In a slice of two heaps beside 4, the diagonal and two lines are missing.
        let picture = path("slice.png");
        let drawn = run(&["plot", "slice", &table, "--fixed", "4", "--out", &picture]).code(0);
        assert!(
            drawn.out.contains(&format!("of {} are P-positions", 31 * 31 - 30 - 2 * 30)),
            "{}",
            drawn.out
        );
        let row = run(&["plot", "sequence", &table, "--row", "4,6", "--out", &picture]).code(0);
        assert!(row.out.contains("n = 0 to 30"), "{}", row.out);
        if quantity.is_some() {
            let histogram = run(&["plot", "histogram", &table, "--out", &picture]).code(0);
            assert!(
                histogram.out.contains(&format!("{} positions", grouped(all.len() as u64))),
                "{}",
                histogram.out
            );
        }
        let manifest = std::fs::read(folder.path().join(&table).join("manifest.json")).unwrap();
        let manifest: Value = serde_json::from_slice(&manifest).unwrap();
        assert_eq!(manifest["results"]["positions"], all.len());
        run(&["verify", &table, "--full"]).code(0);
        run(&["verify", &table, "--sample", "300"]).code(0);
    }
}
