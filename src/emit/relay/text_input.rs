//! The text in the argument of a function that stands for a custom tool, taken out of its JSON
//! while it arrives.

use alloc::string::String;

use crate::hub::conversation::{Back, TEXT_ARGUMENT};

/// The JSON before the text. Blanks are allowed before each token.
const BEFORE: [&str; 4] = ["{\"", TEXT_ARGUMENT, "\":", "\""];

/// Takes the text out of the arguments of one call.
#[derive(Debug, Default)]
pub(super) struct TextInput {
    state: TextInputState,
    /// The arguments so far, unless they begin as expected.
    raw: String,
    /// The escape that has not ended.
    escape: String,
    /// The first half of a pair of surrogates.
    high: Option<u16>,
}

#[derive(Clone, Copy, Debug)]
enum TextInputState {
    /// So many characters of the JSON before the text have been read.
    Before(usize),
    Inside,
    After,
    /// The arguments have another form: they are read when they are complete.
    Other,
}

impl Default for TextInputState {
    fn default() -> Self {
        TextInputState::Before(0)
    }
}

impl TextInput {
    /// Reads the next piece of the arguments, and returns the next piece of the text.
    pub fn push(&mut self, piece: &str) -> String {
        let mut text = String::new();
        for letter in piece.chars() {
            match self.state {
                TextInputState::Before(count) => self.before(count, letter),
                TextInputState::Inside => self.inside(letter, &mut text),
                TextInputState::Other => self.raw.push(letter),
                TextInputState::After => {}
            }
        }
        text
    }

    /// Ends the arguments, and returns the rest of the text.
    pub fn finish(self) -> String {
        match self.state {
            TextInputState::Before(_) | TextInputState::Other => Back::text_of(&self.raw),
            TextInputState::Inside | TextInputState::After if self.high.is_some() => {
                REPLACED.into()
            }
            TextInputState::Inside | TextInputState::After => String::new(),
        }
    }

    fn before(&mut self, count: usize, letter: char) {
        self.raw.push(letter);
        let expected = BEFORE.iter().flat_map(|token| token.chars()).nth(count);
        // Blanks within the name of the argument do not occur: `expected` is then another
        // character.
        let is_between = matches!(expected, Some('{' | '"' | ':')) && letter.is_ascii_whitespace();
        self.state = match expected == Some(letter) {
            true if count + 1 == BEFORE.iter().map(|token| token.len()).sum::<usize>() => {
                TextInputState::Inside
            }
            true => TextInputState::Before(count + 1),
            false if is_between => TextInputState::Before(count),
            false => TextInputState::Other,
        };
    }

    fn inside(&mut self, letter: char, text: &mut String) {
        if !self.escape.is_empty() {
            self.escape.push(letter);
            return self.escaped(text);
        }
        match letter {
            '\\' => self.escape.push('\\'),
            '"' => {
                self.end_pair(text);
                self.state = TextInputState::After;
            }
            _ => {
                self.end_pair(text);
                text.push(letter);
            }
        }
    }

    /// Adds the character of an escape, if that is complete.
    fn escaped(&mut self, text: &mut String) {
        let mut letters = self.escape.chars().skip(1);
        let plain = match letters.next() {
            Some('u') if self.escape.chars().count() < 6 => return,
            Some('u') => None,
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{c}'),
            other => other,
        };
        let unit = self.escape.get(2..).and_then(|digits| u16::from_str_radix(digits, 16).ok());
        self.escape.clear();
        let Some(unit) = unit.filter(|_| plain.is_none()) else {
            self.end_pair(text);
            return text.push(plain.unwrap_or(char::REPLACEMENT_CHARACTER));
        };
        match (self.high.take(), unit) {
            (high, 0xd800..=0xdbff) => {
                text.extend(high.map(|_| char::REPLACEMENT_CHARACTER));
                self.high = Some(unit);
            }
            (Some(high), 0xdc00..=0xdfff) => {
                text.extend(char::decode_utf16([high, unit]).flatten())
            }
            (high, _) => {
                text.extend(high.map(|_| char::REPLACEMENT_CHARACTER));
                text.push(char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
    }

    /// Writes a surrogate without its other half.
    fn end_pair(&mut self, text: &mut String) {
        text.extend(self.high.take().map(|_| char::REPLACEMENT_CHARACTER));
    }
}

const REPLACED: &str = "\u{fffd}";

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// Reads arguments in pieces of so many characters.
    fn read(arguments: &str, length: usize) -> String {
        let letters: Vec<char> = arguments.chars().collect();
        let mut input = TextInput::default();
        let mut text = String::new();
        for piece in letters.chunks(length) {
            text += &input.push(&piece.iter().collect::<String>());
        }
        text + &input.finish()
    }

    #[test]
    fn the_text_is_the_same_in_pieces_of_any_length() {
        let cases = [
            (
                r#"{"input":"*** Begin Patch\n+\"a\"\\\t\u00e9\ud83d\ude00"}"#,
                "*** Begin Patch\n+\"a\"\\\té😀",
            ),
            (" {\n \"input\" :\t\"x y\"\n}", "x y"),
            (r#"{"input":""}"#, ""),
            (r#"{"why":"z","input":"x"}"#, "x"),
            (r#"{"input":"\ud83d!"}"#, "\u{fffd}!"),
            (r#"{"input":"cut"#, "cut"),
            (r#"{"input":1}"#, r#"{"input":1}"#),
            ("no JSON", "no JSON"),
            ("", ""),
        ];
        for (arguments, expected) in cases {
            for length in 1..=arguments.len().max(1) {
                assert_eq!(read(arguments, length), expected, "{arguments} in pieces of {length}");
            }
        }
    }

    #[test]
    fn a_piece_of_the_text_is_returned_as_soon_as_it_arrives() {
        let mut input = TextInput::default();
        assert_eq!(input.push(r#"{"input":"a"#), "a");
        assert_eq!(input.push(r"b\"), "b");
        assert_eq!(input.push(r#"nc"}"#), "\nc");
        assert_eq!(input.finish(), "");
    }
}
