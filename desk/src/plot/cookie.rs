//! Pictures of cookie boards, as text and SVG.

use crate::rules::{Board, Cutter};

/// The board after `moves` (top row and left column of the cutter, from 0) as text: `#` squares that are
/// left, `o` those that the last move took, `.` none.
pub fn text_after(board: &Board, cutter: Cutter, moves: &[(i64, i64)]) -> String {
    let (before, after) = around_last_move(board, cutter, moves);
    let mut text = String::new();
    for row in 0..board.rows() {
        for col in 0..board.cols() {
            text.push(match (before.has(row, col), after.has(row, col)) {
                (_, true) => '#',
                (true, false) => 'o',
                (false, false) => '.',
            });
        }
        text.push('\n');
    }
    text.pop();
    text
}

/// The boards before and after the last move.
fn around_last_move(board: &Board, cutter: Cutter, moves: &[(i64, i64)]) -> (Board, Board) {
    let (mut before, mut after) = (board.clone(), board.clone());
    for &(top, left) in moves {
        before = after.clone();
        after = before.cut(cutter, top, left);
    }
    (before, after)
}

/// The board after `moves` as an SVG picture: squares that are left, squares taken (with the number of the
/// move that took them), and the outline of the last placement, also where it hangs over.
pub fn svg(board: &Board, cutter: Cutter, moves: &[(i64, i64)]) -> String {
    const SIDE: i64 = 32;
    let (rows, cols) = (board.rows() as i64, board.cols() as i64);
    // A cutter longer than the grid acts like one as long as the grid.
    let (high, wide) = (i64::from(cutter.rows).min(rows), i64::from(cutter.cols).min(cols));
    let mut first = (0, 0);
    let mut last = (rows, cols);
    if let Some(&(top, left)) = moves.last() {
        first = (first.0.min(top), first.1.min(left));
        last = (last.0.max(top + high), last.1.max(left + wide));
    }
    let x = |col: i64| (col - first.1) * SIDE + SIDE / 2;
    let y = |row: i64| (row - first.0) * SIDE + SIDE / 2;
    let (width, height) = (x(last.1) + SIDE / 2, y(last.0) + SIDE / 2);
    let mut body = String::new();
    let mut now = board.clone();
    let mut taken_by = vec![0; (rows * cols) as usize];
    for (number, &(top, left)) in moves.iter().enumerate() {
        let next = now.cut(cutter, top, left);
        for row in 0..board.rows() {
            for col in 0..board.cols() {
                if now.has(row, col) && !next.has(row, col) {
                    taken_by[row * board.cols() + col] = number + 1;
                }
            }
        }
        now = next;
    }
    for row in 0..board.rows() {
        for col in 0..board.cols() {
            if !board.has(row, col) {
                continue;
            }
            let (left, top) = (x(col as i64), y(row as i64));
            if now.has(row, col) {
                body += &format!(
                    "<rect x=\"{left}\" y=\"{top}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#e0a458\" stroke=\"#5c3d1e\"/>\n"
                );
            } else {
                body += &format!(
                    "<rect x=\"{left}\" y=\"{top}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#ffffff\" stroke=\"#b0b0b0\" \
                     stroke-dasharray=\"3 3\"/>\n<text x=\"{}\" y=\"{}\" font-size=\"13\" text-anchor=\"middle\" \
                     fill=\"#555555\" font-family=\"sans-serif\">{}</text>\n",
                    left + SIDE / 2,
                    top + SIDE / 2 + 5,
                    taken_by[row * board.cols() + col]
                );
            }
        }
    }
    if let Some(&(top, left)) = moves.last() {
        body += &format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#0072b2\" stroke-width=\"3\"/>\n",
            x(left),
            y(top),
            wide * SIDE,
            high * SIDE
        );
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <title>cookie cutter board, {} squares left, cutter {cutter}, {} moves</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{body}</svg>\n",
        now.count(),
        moves.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_in_progress_shows_the_last_move() {
        let board = Board::full(2, 4).unwrap();
        let cutter = Cutter::square(2).unwrap();
        assert_eq!(text_after(&board, cutter, &[]), "####\n####");
        assert_eq!(text_after(&board, cutter, &[(0, 0)]), "oo##\noo##");
        assert_eq!(text_after(&board, cutter, &[(0, 0), (-1, 2)]), "..oo\n..##");
    }

    #[test]
    fn the_svg_holds_every_square_and_the_placement() {
        let board = Board::full(2, 4).unwrap();
        let picture = svg(&board, Cutter::square(2).unwrap(), &[(-1, 3)]);
        assert_eq!(picture.matches("#e0a458").count(), 7);
        assert_eq!(picture.matches("stroke-dasharray").count(), 1);
        assert_eq!(picture.matches("#0072b2").count(), 1);
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
        assert!(svg(&board, Cutter::INFINITE, &[(-1, -3)]).contains("cutter inf"));
    }
}
