//! The digits of a number of free JSON. A list of short numbers takes no memory beside its own: two
//! bytes of a stream are one number.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;
use core::ops::Deref;

/// The digits of a number, as they were received. They dereference to a text.
#[derive(Clone)]
pub struct Digits(DigitsStorage);

/// The number of digits that need no memory of their own: as many as the place of a [`String`] has
/// bytes for.
const SHORT: usize = 22;

#[derive(Clone)]
enum DigitsStorage {
    Short { length: u8, bytes: [u8; SHORT] },
    Long(Box<str>),
}

impl Digits {
    /// Returns the digits.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            // They are the bytes of a text.
            DigitsStorage::Short { length, bytes } => {
                core::str::from_utf8(bytes.get(..usize::from(*length)).unwrap_or_default())
                    .unwrap_or_default()
            }
            DigitsStorage::Long(text) => text,
        }
    }
}

impl From<&str> for Digits {
    fn from(text: &str) -> Self {
        let mut bytes = [0; SHORT];
        Digits(match bytes.get_mut(..text.len()) {
            Some(start) => {
                start.copy_from_slice(text.as_bytes());
                DigitsStorage::Short { length: text.len() as u8, bytes }
            }
            None => DigitsStorage::Long(text.into()),
        })
    }
}

impl From<String> for Digits {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl Deref for Digits {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Debug for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl PartialEq for Digits {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl PartialEq<str> for Digits {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Digits {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

#[cfg(test)]
mod tests {
    use super::Digits;
    use crate::json::Value;
    use alloc::string::ToString;

    #[test]
    fn every_length_is_unchanged() {
        for length in 1..60 {
            let text = "123456789".repeat(7).get(..length).unwrap_or_default().to_string();
            assert_eq!(&*Digits::from(&*text), &*text);
            assert_eq!(Value::Number(text.clone().into()).to_json(), text);
        }
    }

    #[test]
    fn a_number_is_as_large_as_any_other_value() {
        assert_eq!(size_of::<Digits>(), size_of::<String>());
    }
}
