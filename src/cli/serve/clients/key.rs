//! The keys of clients: their digests, and where requests and files have them.

use std::path::Path;

use axum::http::{HeaderMap, HeaderName, header};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// The headers with the key of a client. `Authorization` has it after `Bearer`.
const HEADERS: [HeaderName; 4] = [
    header::AUTHORIZATION,
    HeaderName::from_static("x-api-key"),
    HeaderName::from_static("api-key"),
    HeaderName::from_static("x-goog-api-key"),
];

/// The digest of a key. The key itself is not kept.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyDigest([u8; 32]);

impl KeyDigest {
    /// Reads a key, or its SHA-256 digest after `sha256:`.
    pub fn read(text: &str) -> Result<Self, String> {
        if let Some(digest) = text.strip_prefix("sha256:") {
            let expected = "64 hexadecimal digits follow `sha256:`";
            return decoded(digest).map(KeyDigest).ok_or_else(|| expected.into());
        }
        match !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            true => Ok(Self::of(text.as_bytes())),
            false => Err("a key has visible characters of ASCII only, and at least one".into()),
        }
    }

    fn of(key: &[u8]) -> Self {
        KeyDigest(Sha256::digest(key).into())
    }

    /// Whether both digests are equal, in a time that does not depend on their bytes.
    pub fn is(&self, other: &KeyDigest) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

/// Removes the keys of a request, so that they are sent to no other server, and returns their
/// digests.
pub fn take(headers: &mut HeaderMap) -> Vec<KeyDigest> {
    let mut keys = Vec::new();
    for name in &HEADERS {
        // The first one, and all are removed.
        let Some(value) = headers.remove(name) else { continue };
        let value = value.as_bytes().trim_ascii();
        let key = match name == header::AUTHORIZATION {
            true => bearer(value),
            false => Some(value),
        };
        keys.extend(key.filter(|key| !key.is_empty()).map(KeyDigest::of));
    }
    keys
}

fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, key) = value.split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then(|| key.trim_ascii())
}

/// Reads a file with a name and a key in each line, apart from blank lines and those that start with
/// `#`. No error has the text of a line, which can be a key.
pub fn read_file(path: &Path) -> Result<Vec<(String, KeyDigest)>, String> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let keys = lines.map(|(number, line)| {
        let unreadable = |problem: &str| format!("{}:{number}: {problem}", path.display());
        let mut words = line.split_whitespace();
        let (Some(name), Some(key), None) = (words.next(), words.next(), words.next()) else {
            return Err(unreadable("a line is a name, a space and a key"));
        };
        let name = client_name(name).map_err(|problem| unreadable(&problem))?;
        Ok((name, KeyDigest::read(key).map_err(|problem| unreadable(&problem))?))
    });
    keys.collect()
}

/// Checks the name of a client.
pub fn client_name(text: &str) -> Result<String, String> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"._@+-".contains(&byte);
    match (1..=64).contains(&text.len()) && text.bytes().all(is_name) {
        true => Ok(text.into()),
        false => {
            Err("the name of a client has 1 to 64 of the characters a-z A-Z 0-9 . _ @ + -".into())
        }
    }
}

fn decoded(hex: &str) -> Option<[u8; 32]> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let (pairs, []) = hex.as_bytes().as_chunks::<2>() else { return None };
    let bytes: Option<Vec<u8>> = pairs
        .iter()
        .map(|[high, low]| u8::try_from(digit(*high)? << 4 | digit(*low)?).ok())
        .collect();
    bytes?.try_into().ok()
}
