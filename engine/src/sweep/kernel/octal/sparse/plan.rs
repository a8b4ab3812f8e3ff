//! What is OR-ed where: the shifts of the rare heaps, and the cover of the rare values.

use super::super::bits::{NARROW, Shifts, WIDE};
use super::super::naive::Moves;
use super::order::{ABOVE, SAMPLE, Sample};
use super::{Classes, Rare};

/// The offsets of a tile: one set of copies of a row serves them all.
const TILE: usize = 32768;
/// Offsets from here on belong to tiles; they read only finished wide blocks.
pub(super) const TILED: usize = 2 * WIDE;
/// The cover's offsets lie in TILED..TILED + COVER.
const COVER: usize = 12288;
/// The last heaps, by which limit and cover are chosen.
const LATELY: usize = 8192;
/// The same for the limit, which is chosen anew for each wide block.
const JUST_NOW: usize = 2 * WIDE;
/// Hits that the cover of a rare value should have at a heap, on average. The hits are far from evenly
/// spread: with 20 about one value in fifty stays open.
const EXPECTED_HITS: f64 = 20.0;
/// With fewer indices than this more hits are asked for.
const FEW_INDICES: f64 = 128.0;

/// The stretch of a row that copies are made of: `words` words from block start − before on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RowSpan {
    pub before: usize,
    pub words: usize,
}

/// The offsets below WIDE, at the start of a narrow block.
pub(super) const NARROW_SPAN: RowSpan = RowSpan { before: WIDE, words: (WIDE + NARROW) / 64 };
/// The offsets from WIDE to TILED, at the start of a wide block.
pub(super) const BAND_SPAN: RowSpan = RowSpan { before: TILED, words: (TILED - WIDE + WIDE) / 64 };

#[derive(Default)]
pub(super) struct Tile {
    /// The rare heaps' indices and offsets.
    pairs: Vec<(u32, usize)>,
    changed: bool,
    pub span: RowSpan,
    /// `None` if the tile has too few offsets for rows to pay.
    pub shifts: Option<Shifts>,
}

#[derive(Default)]
pub(super) struct Plan {
    pub narrow: Shifts,
    pub band: Shifts,
    pub tiles: Vec<Tile>,
    /// Offsets and indices of the tiles that are too thin.
    pub far: Vec<(usize, u16)>,
    pub cover_span: RowSpan,
    /// For every source row, the shifts that cover rare values.
    pub cover: Vec<Shifts>,
    /// Target rows below this are computed by rows; heaps that need more go the slow way.
    pub limit: usize,
    /// For marks: common heaps that may be paired with all others, in the order in which they should be.
    pub partners: Vec<u32>,
    /// For marks: the rare heaps in the order in which they should be marked.
    pub rares: Vec<u32>,
    /// Those are the rare heaps before this one.
    pub rares_until: usize,
}

impl Plan {
    /// The plan for the known values and all rare heaps.
    pub fn new(classes: &Classes, splits: &[usize], rares: &[Rare], values: &[u16]) -> Self {
        let mut plan = Self::default();
        let mut narrow = Vec::new();
        let mut band = Vec::new();
        for &Rare { heap, index } in rares {
            for &i in splits {
                let pair = (u32::from(index), heap + i);
                if heap + i < WIDE {
                    narrow.push(pair);
                } else if heap + i < TILED {
                    band.push(pair);
                } else {
                    plan.add(heap + i, index);
                }
            }
        }
        plan.narrow = Shifts::build(narrow, NARROW_SPAN.before, NARROW_SPAN.words, NARROW);
        plan.band = Shifts::build(band, BAND_SPAN.before, BAND_SPAN.words, WIDE);
        plan.build_tiles(classes.indices());
        plan.choose_limit(classes, values);
        plan.choose_cover(classes, splits, values);
        plan
    }

    /// The plan for marks. The cover's partners are from all over the first half, so that no heap is paired
    /// with itself (Grundy's game).
    pub fn by_marks(classes: &Classes, moves: &Moves, rares: &[Rare], values: &[u16]) -> Self {
        let last = moves.splits.iter().max().copied().unwrap_or(0);
        let half = values.len().saturating_sub(last + 1) / 2;
        // Multiples of the golden section.
        let spread = (1..=COVER as u64).map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let heaps = spread.map(|fraction| ((u128::from(fraction) * half as u128) >> 64) as usize);
        let common = heaps.filter(|&heap| heap > 0 && classes.is_common(values[heap], heap));
        let sample =
            |common, above| Sample::new(classes, moves, values, (common, above), vec![values.len() - SAMPLE]);
        let (partners, rares) = rayon::join(
            || sample(false, 0).order(common, COVER),
            || sample(true, ABOVE).order(rares.iter().map(|rare| rare.heap), rares.len()),
        );
        Self { partners, rares, rares_until: values.len(), limit: classes.indices(), ..Self::default() }
    }

    /// Adds an offset from TILED on of a rare heap; `build_tiles` must follow.
    pub fn add(&mut self, offset: usize, index: u16) {
        let tile = (offset - TILED) / TILE;
        if self.tiles.len() <= tile {
            self.tiles.resize_with(tile + 1, Tile::default);
        }
        self.tiles[tile].pairs.push((u32::from(index), offset));
        self.tiles[tile].changed = true;
    }

    /// Brings the changed tiles up to date.
    pub fn build_tiles(&mut self, indices: usize) {
        // With fewer offsets than this, copying a row costs more than going through the heaps one by one.
        let enough = indices.div_ceil(24);
        for (k, tile) in self.tiles.iter_mut().enumerate().filter(|(_, tile)| tile.changed) {
            tile.changed = false;
            if tile.pairs.len() < enough {
                continue;
            }
            // The first tile reaches from TILED on, so that its copies serve the cover, too.
            let least = if k == 0 { Some(TILED) } else { tile.pairs.iter().map(|pair| pair.1).min() };
            let least = least.unwrap_or(0);
            let most = tile.pairs.iter().map(|pair| pair.1).max().unwrap_or(0);
            let before = most.next_multiple_of(64);
            let words = (before - least + WIDE).div_ceil(64);
            tile.span = RowSpan { before, words };
            tile.shifts = Some(Shifts::build(tile.pairs.clone(), before, words, WIDE));
        }
        self.far.clear();
        for tile in self.tiles.iter().filter(|tile| tile.shifts.is_none()) {
            self.far.extend(tile.pairs.iter().map(|&(index, offset)| (offset, index as u16)));
        }
    }

    /// How far back from a wide block the rows are read.
    pub fn window(&self) -> usize {
        let tiles = self.tiles.iter().filter(|tile| tile.shifts.is_some());
        tiles.map(|tile| tile.span.before).max().unwrap_or(0).max(self.cover_span.before)
    }

    /// Takes as many rows as all but one heap in a thousand needed lately, and a little more for growth.
    pub fn choose_limit(&mut self, classes: &Classes, values: &[u16]) {
        if classes.set_words() == 1 {
            // The rows cost less than the choice.
            self.limit = classes.rows();
            return;
        }
        let lately = values.len() - JUST_NOW;
        let mut counts = vec![0usize; classes.indices()];
        for (n, &value) in values.iter().enumerate().skip(lately) {
            if classes.is_common(value, n) {
                counts[classes.index(value)] += 1;
            }
        }
        let mut limit = classes.indices();
        let mut beyond = 0;
        while limit > 4 && beyond + counts[limit - 1] <= JUST_NOW / 1000 {
            limit -= 1;
            beyond += counts[limit];
        }
        self.limit = (limit + limit / 32 + 1).next_multiple_of(4).min(classes.rows());
    }

    /// Chooses, for every rare index, the shifts that are to cover it: rows that are dense lately, shifted by
    /// heaps of the cover's window, until a heap can expect enough hits. The fewer heaps need the index
    /// (because their value is larger), the fewer shifts are worth their time.
    fn choose_cover(&mut self, classes: &Classes, splits: &[usize], values: &[u16]) {
        let indices = classes.indices();
        let lately = values.len() - LATELY;
        let mut counts = vec![0usize; indices];
        let mut larger = vec![0usize; indices + 1];
        for (n, &value) in values.iter().enumerate().skip(lately) {
            if classes.is_common(value, n) {
                counts[classes.index(value)] += 1;
            }
            larger[classes.index(value)] += 1;
        }
        for index in (0..indices).rev() {
            larger[index] += larger[index + 1];
        }
        let mut by_index = vec![Vec::new(); indices];
        for &i in splits {
            // A shift must never pair a heap with itself (Grundy's game), so twice the offset is kept below
            // n.
            for heap in TILED - i.min(TILED)..(TILED + COVER - i).min(values.len() / 2 - 2 * WIDE) {
                if heap > 0 && classes.is_common(values[heap], heap) {
                    by_index[classes.index(values[heap])].push(heap + i);
                }
            }
        }
        let mut sources: Vec<usize> = (0..indices).filter(|&w| counts[w] > 0).collect();
        sources.sort_by_key(|&w| std::cmp::Reverse(counts[w]));
        // Where there are few indices, the rows are dense and more hits cost little beside a search.
        let hits = EXPECTED_HITS * (FEW_INDICES / indices as f64).max(1.0);
        let mut pairs = vec![Vec::new(); classes.rows()];
        let mut last = TILED;
        for rare in 0..self.limit.min(indices) {
            let need = larger[rare] as f64 / LATELY as f64;
            let mut wanted = hits * need.sqrt() * LATELY as f64;
            'rare: for &w in &sources {
                for &offset in &by_index[w ^ rare] {
                    if wanted <= 0.0 {
                        break 'rare;
                    }
                    pairs[w].push((rare as u32, offset));
                    last = last.max(offset);
                    wanted -= counts[w] as f64;
                }
            }
        }
        let before = last.next_multiple_of(64);
        let own = RowSpan { before, words: (before - TILED + WIDE) / 64 };
        // The copies of the first tile, if they reach far enough, are not made a second time.
        let first = self.tiles.first().filter(|tile| tile.shifts.is_some() && tile.span.before >= before);
        self.cover_span = first.map_or(own, |tile| tile.span);
        let RowSpan { before, words } = self.cover_span;
        self.cover = pairs.into_iter().map(|pairs| Shifts::build(pairs, before, words, WIDE)).collect();
    }
}
