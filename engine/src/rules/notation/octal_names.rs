//! What the literature calls some octal games.

use super::octal::NAMED;
use crate::rules::OctalGame;

impl OctalGame {
    /// The usual name, such as "Kayles" for 0.77.
    pub fn usual_name(&self) -> Option<&'static str> {
        if self.unequal_parts() {
            return Some("Grundy's Game");
        }
        let code = self.to_string();
        NAMED.iter().find(|(_, known, _)| *known == code).map(|&(.., name)| name)
    }

    /// "Kayles (0.77)", or the code alone.
    pub fn full_name(&self) -> String {
        match self.usual_name() {
            Some(name) if self.unequal_parts() => name.into(),
            Some(name) => format!("{name} ({self})"),
            None => self.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_with_a_usual_name_are_called_by_it() {
        let name = |code: &str| code.parse::<OctalGame>().unwrap().full_name();
        assert_eq!(name("kayles"), "Kayles (0.77)");
        assert_eq!(name("grundy"), "Grundy's Game");
        assert_eq!(name("0.771"), "0.771");
    }
}
