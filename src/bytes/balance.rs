//! The end of a JSON object or array in a text that arrives in pieces, found by its brackets.

/// Finds the end of an object or an array without checking what is inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Balance {
    depth: u64,
    in_string: bool,
    /// The next character of a string is escaped.
    is_escaped: bool,
}

impl Balance {
    /// Reports whether a value has begun and not ended.
    pub fn is_inside(self) -> bool {
        self.depth > 0
    }

    /// Reads the next piece, up to the end of the value that it continues or begins. Returns the
    /// position after that end; `None` if the end is in a later piece.
    pub fn end(&mut self, piece: &[u8]) -> Option<usize> {
        for (at, &byte) in piece.iter().enumerate() {
            if self.in_string {
                match byte {
                    _ if self.is_escaped => self.is_escaped = false,
                    b'\\' => self.is_escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_ends_with_its_last_bracket_at_any_cut() {
        let text = br#"{"a}":["\"}",{"b":"\\"}],"c":1}"#;
        assert_eq!(Balance::default().end(text), Some(text.len()));
        for cut in 1..text.len() {
            let mut balance = Balance::default();
            assert_eq!(balance.end(&text[..cut]), None);
            assert!(balance.is_inside());
            assert_eq!(balance.end(&text[cut..]), Some(text.len() - cut));
            assert!(!balance.is_inside());
        }
    }

    #[test]
    fn a_value_ends_before_the_next_one() {
        assert_eq!(Balance::default().end(b"[1]{}"), Some(3));
    }
}
