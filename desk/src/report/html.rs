//! Text that is safe inside a page.

/// `text` with the five characters that mean something in HTML replaced.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for symbol in text.chars() {
        match symbol {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// JSON inside a `<script>` element: no `<`, so that nothing in it can end the element.
pub fn script_json(value: &serde_json::Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// 1234567 as 1,234,567.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A length of time: 0.03 s, 41 s, 3 min 20 s, 7 h 5 min.
pub fn for_people(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match seconds {
        ..0.0995 => format!("{seconds:.2} s"),
        ..9.95 => format!("{seconds:.1} s"),
        ..119.5 => format!("{whole} s"),
        ..7199.5 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", grouped(whole / 3600), whole / 60 % 60),
    }
}

/// A list of names and texts; the texts are escaped.
pub fn facts(lines: &[(String, String)]) -> String {
    let mut out = String::from("<dl>\n");
    for (name, text) in lines {
        out += &format!("<dt>{}</dt><dd>{}</dd>\n", escape(name), escape(text));
    }
    out + "</dl>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_escapes_from_text_or_script() {
        assert_eq!(escape("<b a=\"1\" c='2'>&"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
        let json = script_json(&serde_json::json!({ "a": "</script><script>alert(1)</script>" }));
        assert!(!json.contains('<'));
        let back: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(back["a"], "</script><script>alert(1)</script>");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(123), "123");
    }

    #[test]
    fn times_are_written_as_people_write_them() {
        for (seconds, text) in [
            (0.0, "0.00 s"),
            (0.026, "0.03 s"),
            (4.2, "4.2 s"),
            (41.0, "41 s"),
            (200.0, "3 min 20 s"),
            (25_500.0, "7 h 5 min"),
        ] {
            assert_eq!(for_people(seconds), text);
        }
    }
}
