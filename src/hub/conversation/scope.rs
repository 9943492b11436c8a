//! The scope of opaque members: the server and the family of models that understand them.

use alloc::string::String;

use super::envelope::{TextHash, hex};

/// Returns the scope of the opaque members of a model: 8 hexadecimal digits of a hash of the base
/// URL of its server, and of the family that the model is of by its name, `claude-4` or `gemini-3`.
/// The scheme and the query of the URL, the size of the model and its date are not part of the
/// scope.
pub fn scope(base_url: &str, model: &str) -> String {
    let url = base_url.split(['?', '#']).next().unwrap_or_default();
    let url = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = url.split_once('/').unwrap_or((url, ""));
    let (name, version) = family(model);
    let mut hash = TextHash::default();
    hash.add(&host.to_ascii_lowercase());
    for part in ["/", path.trim_matches('/'), " ", name, " ", version] {
        hash.add(part);
    }
    hex(hash.value()).split_off(8)
}

/// Returns the family of a model: the letters that its name begins with, and its main version.
fn family(model: &str) -> (&str, &str) {
    let name = model.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let letters = name.find(|letter: char| !letter.is_alphabetic()).unwrap_or(name.len());
    let numbers = name.split(|letter: char| !letter.is_ascii_digit());
    // Longer numbers are dates.
    let version = numbers.into_iter().find(|number| matches!(number.len(), 1 | 2));
    (name.get(..letters).unwrap_or_default(), version.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_of_a_family_at_a_server_have_one_scope() {
        let of = |model| scope("https://api.example/v1", model);
        assert_eq!(of("claude-opus-4-5-20250929").len(), 8);
        assert_eq!(of("claude-opus-4-5-20250929"), of("claude-sonnet-4"));
        assert_eq!(of("gpt-5-mini"), of("gpt-5.3"));
        assert_eq!(of("gemini-3-flash-preview"), of("google/gemini-3-pro"));
        assert_ne!(of("gemini-3-flash-preview"), of("gemini-2.5-flash"));
        assert_ne!(of("claude-3"), of("gemini-3"));
        assert_ne!(of("deepseek-chat"), of("kimi-latest"));
        assert_eq!(family("mistral-large-2411"), ("mistral", ""));
        assert_eq!(family("o3-mini"), ("o", "3"));
        assert_eq!(family(""), ("", ""));
    }

    #[test]
    fn a_base_url_has_one_scope_however_it_is_spelled() {
        let of = |url| scope(url, "m");
        let same = of("https://api.example/v1");
        for url in ["https://api.example/v1/", "http://API.example/v1?key=k", "api.example/v1#top"]
        {
            assert_eq!(of(url), same, "{url}");
        }
        assert_ne!(of("https://api.example/v2"), same);
        assert_ne!(of("https://api.example:8443/v1"), same);
        assert_ne!(of("https://api.example/V1"), same);
    }
}
