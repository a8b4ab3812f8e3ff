//! `nimwave plot` from outside.

use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

fn nimwave(folder: &Path, arguments: &str) -> Output {
    crate::support::nimwave().current_dir(folder).args(arguments.split_whitespace()).output().unwrap()
}

fn good(folder: &Path, arguments: &str) -> String {
    let output = nimwave(folder, arguments);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// The picture's size and its pixels, three bytes each.
fn decode(path: &Path) -> (u32, u32, Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut decoder = png::Decoder::new(file);
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    bytes.truncate(info.buffer_size());
    (info.width, info.height, bytes)
}

const P: [u8; 3] = [0xd5, 0x5e, 0x00];

#[test]
fn every_kind_of_picture_is_written_in_both_formats() {
    let folder = TempDir::new().unwrap();
    let at = folder.path();
    good(at, "-q solve minnie --heaps 3 --max 30 --out m3");
    good(at, "-q solve minnie --heaps 2 --max 40 --values --out m2v");
    good(at, "-q solve octal 0.6 --terms 5000 --out officers");
    let pictures = [
        "m3",
        "m3 --matrix 4 --to 20",
        "m2v --row 7",
        "m2v --kind histogram",
        "officers",
        "officers --kind maximum --from 10 --to 3000 --title officers",
        "slice m3 --fixed 4",
        "slice m2v",
        "sequence m2v --row 7",
        "sequence m2v --row 7 --kind histogram",
        "sequence officers --kind points",
        "sequence officers --kind histogram",
        "sequence officers --kind maximum --from 10 --to 3000",
        "histogram m2v",
        "octal 0.07 --terms 300",
        "cookie-table --cutter 2 --rows 1..3 --cols 1..5",
    ];
    for (i, picture) in pictures.iter().enumerate() {
        let text = good(at, &format!("plot {picture} --out {i}.png"));
        assert!(text.contains(&format!("picture in {i}.png")), "{text}");
        let (width, height, pixels) = decode(&at.join(format!("{i}.png")));
        assert!(width > 300 && height > 200, "{picture}");
        let first = &pixels[..3];
        assert!(pixels.chunks(3).any(|pixel| pixel != first), "{picture} is blank");
        good(at, &format!("plot {picture} --out {i}.svg"));
        let svg = std::fs::read_to_string(at.join(format!("{i}.svg"))).unwrap();
        assert!(svg.contains("<svg") && svg.trim_end().ends_with("</svg>"), "{picture}");
        assert!(svg.matches("<text").count() > 5, "{picture} has no text");
        assert!(
            !svg.contains("http://") || svg.matches("http://").count() == 1,
            "{picture}: only the name space"
        );
    }
}

#[test]
fn p_positions_are_where_the_table_has_them() {
    let folder = TempDir::new().unwrap();
    let at = folder.path();
    // In nim with two heaps the P-positions are the diagonal: as many cells as heaps, each a square of equal size.
    good(at, "-q solve nim --heaps 2 --max 29 --out nim");
    good(at, "plot slice nim --out nim.png");
    let (width, _, pixels) = decode(&at.join("nim.png"));
    let p: Vec<(usize, usize)> = pixels
        .chunks(3)
        .enumerate()
        .filter(|(_, pixel)| *pixel == P)
        .map(|(i, _)| (i % width as usize, i / width as usize))
        // The legend's square lies above the chart.
        .filter(|&(_, y)| y >= 88)
        .collect();
    // The axes may cover a line of pixels at the edges, so that the cells are looked at in their middles.
    let (right, top) = (p.iter().map(|p| p.0).max().unwrap() + 1, p.iter().map(|p| p.1).min().unwrap());
    let cell = (right - p.iter().map(|p| p.0).min().unwrap()).div_ceil(30);
    let left = right - 30 * cell;
    assert!(p.len() <= 30 * cell * cell && p.len() >= 30 * cell * cell - 2 * cell, "whole cells");
    for x in 0..30 {
        for y in 0..30 {
            let middle = (left + x * cell + cell / 2, top + (29 - y) * cell + cell / 2);
            assert_eq!(p.contains(&middle), x == y, "[{x}, {y}]");
        }
    }
}

#[test]
fn a_long_sequence_makes_a_small_file() {
    let folder = TempDir::new().unwrap();
    let at = folder.path();
    good(at, "plot octal 0.333 --terms 2e6 --out k.png");
    good(at, "plot octal 0.333 --terms 2e6 --out k.svg");
    for name in ["k.png", "k.svg"] {
        let size = std::fs::metadata(at.join(name)).unwrap().len();
        assert!(size < 200_000, "{name}: {size} bytes");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_with_a_remedy() {
    let folder = TempDir::new().unwrap();
    let at = folder.path();
    good(at, "-q solve minnie --heaps 3 --max 10 --out m3");
    for (arguments, remedy) in [
        ("slice m3 --out a.jpg", ".png or .svg"),
        ("slice m3 --out a", ".png or .svg"),
        ("slice m3 --fixed 4,6,8 --out a.png", "at most 1 fixed"),
        ("slice m3 --fixed 11 --out a.png", "at most 10"),
        ("slice none --out a.png", "check the path"),
        ("slice m3 --out none/a.png", "make the folder"),
        ("sequence m3 --out a.png", "--row"),
        ("sequence m3 --row 1,2 --from 11 --out a.png", "choose --from"),
        ("histogram m3 --out a.png", "--values"),
    ] {
        let output = nimwave(at, &format!("plot {arguments}"));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
        assert!(error.contains(remedy), "{arguments}: {error}");
    }
    assert!(!at.join("a.png").exists());
}

/// Regression: `plot TABLE` was an unknown subcommand, with `histogram` as the tip.
#[test]
fn a_table_is_drawn_without_a_word_about_what_it_holds() {
    let folder = TempDir::new().unwrap();
    let at = folder.path();
    good(at, "-q solve minnie --heaps 4 --max 30 --out m4");
    good(at, "-q solve octal 0.77 --terms 300 --out kayles");
    good(at, "-q solve cookie --rows 3 --cols 3 --dense --out boards");
    good(at, "-q solve nim --heaps 1 --max 30 --values --out line");
    for (table, title) in [
        ("m4", "minnie: outcomes of ["),
        ("kayles", "Kayles (0.77)"),
        ("boards", "how often each value comes"),
        ("line", "nim"),
    ] {
        let text = good(at, &format!("plot {table} --out {table}.png"));
        assert!(text.contains(title), "{table}: {text}");
    }
    let refused = |arguments: &str, words: &[&str]| {
        let output = nimwave(at, arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
        words.iter().for_each(|word| assert!(error.contains(word), "{arguments}: {error}"));
    };
    refused("plot 0.137 --out k.png", &["nimwave plot octal 0.137 --out k.png"]);
    refused("plot nowhere --out k.png", &["nowhere"]);
    refused("plot m4", &["--out"]);
    refused("plot", &["nimwave plot --out <FILE> <DIR>"]);
    refused("plot m4 --kind maximum --out k.png", &["--row HEAPS"]);
    refused("plot m4 --kind histogram --out k.png", &["--values"]);
}
