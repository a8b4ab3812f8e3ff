//! The theorems that come with the program.

use std::sync::LazyLock;

use super::certificate::Certificate;
use super::local_game::LocalGame;
use crate::game::Game;
use crate::rules::Play;

/// The certificates. The tests do their whole finite check, and compare them with what the learner finds.
static KNOWN: LazyLock<Vec<Certificate>> = LazyLock::new(|| {
    [
        include_str!("../../../data/certificates/minnie.json"),
        include_str!("../../../data/certificates/minnie-misere.json"),
    ]
    .map(|text| {
        Certificate::from_json(text).expect("the embedded certificates are well formed: a test reads them")
    })
    .into()
});

/// The theorem about `game` in its play, if one comes with the program.
pub fn known_theorem(game: &Game) -> Option<&'static Certificate> {
    known(&LocalGame::of(game).ok()??, game.play())
}

/// The theorem about a local game in this play, if one comes with the program.
pub fn known(game: &LocalGame, play: Play) -> Option<&'static Certificate> {
    KNOWN.iter().find(|certificate| certificate.game == *game && certificate.play == play)
}
