//! Keys of declared members, as they appear in JSON.

/// Creates at compile time a key with its punctuation: `,"name":`, followed by a constant value if one is given as
/// JSON. The name must not contain characters that have to be escaped.
macro_rules! member_key {
    ($name:expr) => {
        $crate::json::member_key!($name, "")
    };
    ($name:expr, $value:expr) => {
        const {
            const PARTS: [&str; 4] = [",\"", $name, "\":", $value];
            const KEY: &[u8; $crate::json::member_key::length_of(&PARTS)] =
                &$crate::json::member_key::joined(&PARTS);
            match core::str::from_utf8(KEY) {
                Ok(key) => key,
                Err(_) => unreachable!(),
            }
        }
    };
}
pub(crate) use member_key;

/// Returns the total length of some texts.
pub(crate) const fn length_of(parts: &[&str]) -> usize {
    let (mut at, mut length) = (0, 0);
    while at < parts.len() {
        length += parts[at].len();
        at += 1;
    }
    length
}

/// Joins the bytes of some texts.
pub(crate) const fn joined<const LENGTH: usize>(parts: &[&str]) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    let (mut part, mut to) = (0, 0);
    while part < parts.len() {
        let from = parts[part].as_bytes();
        let mut at = 0;
        while at < from.len() {
            bytes[to] = from[at];
            to += 1;
            at += 1;
        }
        part += 1;
    }
    bytes
}
