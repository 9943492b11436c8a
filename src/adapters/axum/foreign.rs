//! Requests of pages of other origins. A browser asks for permission first (CORS), unless the
//! request is simple: a GET, or a POST without a body, or with a form or plain text.

use http::HeaderMap;

use crate::protocols::runs::problem::Code;
use crate::threads::{Refusal, reject};

/// Rejects a request that a page of another origin could send without permission, with the user's
/// cookies: the request has no header that needs permission. It is for requests that have no JSON.
/// `host` is that of the service.
pub(crate) fn reject_foreign(headers: &HeaderMap, host: &str) -> Result<(), Refusal> {
    let had_permission =
        ["authorization", "x-requested-with"].iter().any(|name| headers.contains_key(*name));
    match had_permission || !is_foreign(headers, host) {
        true => Ok(()),
        false => reject(Code::Forbidden, "a page of another origin has sent the request"),
    }
}

/// Returns whether a browser reports that a page of another origin sent the request.
fn is_foreign(headers: &HeaderMap, host: &str) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    match (text("sec-fetch-site"), text("origin")) {
        (Some(site), _) => !matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => {
            !origin.split_once("://").is_some_and(|(_, from)| from.eq_ignore_ascii_case(host))
        }
        (None, None) => false,
    }
}

/// Returns whether a body has the content type of JSON.
#[cfg(feature = "runs-server")]
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let kind =
        headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let subtype = essence.strip_prefix("application/");
    subtype.is_some_and(|subtype| subtype == "json" || subtype.ends_with("+json"))
}
