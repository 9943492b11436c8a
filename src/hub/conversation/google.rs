//! What the APIs of Google's models have in common.

/// Whose file ids they know.
pub(crate) const PROVIDER: &str = "google";

/// What the addresses of their files start with.
pub(crate) const FILE_STARTS: &[&str] = &["https://", "http://", "gs://"];

/// Whether an address is that of a file that only Google's servers can read.
pub(crate) fn is_uploaded(uri: &str) -> bool {
    uri.starts_with("gs://")
        || uri.starts_with("files/")
        || uri.contains("generativelanguage.googleapis.com")
}

/// Whether an address is that of a video page, which is given in place of its bytes.
pub(crate) fn is_video(url: &str) -> bool {
    ["https://www.youtube.com/", "https://youtube.com/", "https://youtu.be/"]
        .iter()
        .any(|host| url.starts_with(host))
}
