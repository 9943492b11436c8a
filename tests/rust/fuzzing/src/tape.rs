//! Bytes as choices: the calls of a builder.

use agentwire::json::{Member, Value};

/// Bytes that are read one by one. After its end it yields zeros.
#[derive(Debug)]
pub struct Tape<'a>(pub &'a [u8]);

impl<'a> Tape<'a> {
    pub fn is_done(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    pub fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    /// A number below `sides`.
    pub fn below(&mut self, sides: usize) -> usize {
        usize::from(self.byte()) % sides.max(1)
    }

    pub fn one_of<'t, T: ?Sized>(&mut self, of: &[&'t T]) -> &'t T {
        of[self.below(of.len())]
    }

    /// A text of bytes of the tape, or a known edge case.
    pub fn text(&mut self) -> String {
        match self.byte() {
            length @ 0..=31 => {
                let (text, rest) = self.0.split_at(self.0.len().min(length.into()));
                self.0 = rest;
                String::from_utf8_lossy(text).into_owned()
            }
            which => TEXTS[usize::from(which) % TEXTS.len()].to_owned(),
        }
    }

    /// Any JSON, nested a little; once in a while too deep for any reader.
    pub fn value(&mut self, depth: u32) -> Value {
        match self.byte() % 16 {
            0 => Value::Null,
            1 => self.flag().into(),
            2..=4 => i64::from(self.byte()).into(),
            5 => Value::Number(self.one_of(NUMBERS).into()),
            6..=9 => self.text().into(),
            10 if self.byte() == 255 => {
                let deep = 60 + 2 * self.below(70) as u32;
                (0..deep).fold(Value::Null, |inner, _| Value::Array(vec![inner]))
            }
            10..=11 if depth > 0 => {
                let count = self.below(4);
                Value::Array((0..count).map(|_| self.value(depth - 1)).collect())
            }
            _ if depth > 0 => self.object(depth - 1),
            _ => Value::Null,
        }
    }

    /// An object with recurring keys, sometimes with a duplicate one.
    pub fn object(&mut self, depth: u32) -> Value {
        let count = self.below(4);
        let mut members = Vec::new();
        for _ in 0..count {
            let key = match self.byte() % 8 {
                0 => self.text(),
                which => KEYS[usize::from(which) % KEYS.len()].to_owned(),
            };
            members.push(Member { key, value: self.value(depth) });
        }
        Value::Object(members)
    }
}

const TEXTS: &[&str] = &[
    "",
    "a",
    "你好 🙂",
    "\u{2028}\u{2029}\u{85}",
    "\u{0}\r\n\t\"\\",
    "{\"a\":1}",
    "{}",
    "[DONE]",
    "\u{feff}",
    "__proto__",
    "msg_1",
    "data: x\n\n",
    "a text that is somewhat longer than the sixteen or sixty-four bytes that are taken at once by the scanners",
];

const KEYS: &[&str] = &["k", "n", "call_id", "name", "arguments", "output", "type", "k"];

const NUMBERS: &[&str] = &[
    "0.5",
    "-0",
    "1e3",
    "9007199254740993",
    "-12345678901234567890",
    "1E-7",
    "0",
    "1.0",
    "1e400",
    "NaN",
    "01",
];

/// Returns pseudo-random bytes. Their number depends on the seed.
pub fn noise(seed: usize) -> Vec<u8> {
    let mut state = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let numbers = std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    });
    numbers.take(8 + 12 * (seed % 40)).collect()
}
