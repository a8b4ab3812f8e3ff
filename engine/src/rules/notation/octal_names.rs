//! What the literature calls some octal games.

use crate::rules::OctalGame;

impl OctalGame {
    /// The usual name, such as "Kayles" for 0.77.
    pub fn usual_name(&self) -> Option<&'static str> {
        if self.unequal_parts() {
            return Some("Grundy's Game");
        }
        match self.to_string().as_str() {
            "0.77" => Some("Kayles"),
            "0.07" => Some("Dawson's Kayles"),
            "0.137" => Some("Dawson's Chess"),
            "0.6" => Some("Officers"),
            "0.15" => Some("Guiles"),
            "0.007" => Some("Treblecross"),
            _ => None,
        }
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
