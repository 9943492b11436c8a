//! The media types of files, by the ends of their names.

const TYPES: &[(&str, &str)] = &[
    ("avif", "image/avif"),
    ("bmp", "image/bmp"),
    ("csv", "text/csv"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("flac", "audio/flac"),
    ("gif", "image/gif"),
    ("heic", "image/heic"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("json", "application/json"),
    ("m4a", "audio/mp4"),
    ("md", "text/markdown"),
    ("mov", "video/quicktime"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("mpeg", "video/mpeg"),
    ("ogg", "audio/ogg"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("svg", "image/svg+xml"),
    ("tiff", "image/tiff"),
    ("txt", "text/plain"),
    ("wav", "audio/wav"),
    ("webm", "video/webm"),
    ("webp", "image/webp"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("xml", "application/xml"),
];

/// Returns the media type of a file with this name, or at this URL.
pub(super) fn of_name(name: &str) -> Option<&'static str> {
    let path = name.split(['?', '#']).next().unwrap_or_default();
    let (_, end) = path.rsplit('/').next()?.rsplit_once('.')?;
    TYPES
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(end))
        .map(|(_, media_type)| *media_type)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_end_of_a_name_says_the_type() {
        for (name, expected) in [
            ("https://a.png/b.JPG?size=1.gif#x.pdf", Some("image/jpeg")),
            ("a.b.pdf", Some("application/pdf")),
            ("https://a.png/b", None),
            ("png", None),
            ("", None),
        ] {
            assert_eq!(super::of_name(name), expected, "{name}");
        }
    }
}
