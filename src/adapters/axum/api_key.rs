//! The key that a client has sent.

use axum_core::extract::Request;

/// Returns the key that a client of a model's API has sent: in the header `Authorization: Bearer …`,
/// or in `x-api-key` as clients of Anthropic Messages do.
///
/// ```
/// use agentwire::adapters::axum::api_key;
/// use axum::extract::Request;
///
/// let with = |name: &str, value: &str| Request::builder().header(name, value).body(().into()).unwrap();
/// assert_eq!(api_key(&with("authorization", "Bearer k")), Some("k"));
/// assert_eq!(api_key(&with("x-api-key", "k")), Some("k"));
/// assert_eq!(api_key(&with("authorization", "Basic k")), None);
/// ```
pub fn api_key(request: &Request) -> Option<&str> {
    let text = |name: &str| request.headers().get(name)?.to_str().ok().map(str::trim);
    let bearer = text("authorization").and_then(|header| {
        let (scheme, key) = header.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    bearer.or_else(|| text("x-api-key")).filter(|key| !key.is_empty())
}
