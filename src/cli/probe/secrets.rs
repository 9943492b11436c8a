//! Texts that are never printed: keys, and the values of headers.

/// The secrets of a run.
#[derive(Clone, Default)]
pub struct Secrets(Vec<String>);

const HIDDEN: &str = "***";

impl Secrets {
    /// Adds a text. Short texts are not hidden.
    pub fn add(&mut self, secret: &str) {
        const LEAST: usize = 6;
        let secret = secret.trim();
        if secret.len() >= LEAST {
            self.0.push(secret.into());
            // The longest first: one can contain another.
            self.0.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        }
    }

    /// Returns a text without secrets, as a short line.
    pub fn line(&self, text: &str) -> String {
        const MOST: usize = 500;
        let text = self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret, HIDDEN));
        let mut line: String = text.chars().take(MOST).map(printable).collect();
        if text.chars().nth(MOST).is_some() {
            line.push('…');
        }
        line
    }

    /// Replaces secrets in the body of a response, before parts of it are quoted.
    pub fn remove_from(&self, body: &mut Vec<u8>) {
        for secret in self.0.iter().map(String::as_bytes) {
            let mut rest = &body[..];
            let mut clean = Vec::new();
            while let Some(at) = rest.windows(secret.len()).position(|bytes| bytes == secret) {
                clean.extend_from_slice(&rest[..at]);
                clean.extend_from_slice(HIDDEN.as_bytes());
                rest = &rest[at + secret.len()..];
            }
            if rest.len() < body.len() {
                clean.extend_from_slice(rest);
                *body = clean;
            }
        }
    }
}

fn printable(char: char) -> char {
    if char.is_control() { ' ' } else { char }
}
