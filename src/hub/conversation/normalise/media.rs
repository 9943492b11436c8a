//! Media, as far as the target takes them.

use alloc::borrow::Cow;
use alloc::string::String;
use core::mem::take;

use crate::hub::conversation::envelope::decode;
use crate::hub::conversation::requirements::{Requirements, Way};
use crate::hub::conversation::{Content, Media, MediaForm, MediaSource, Part};
use crate::hub::loss::{LossClass, Losses};

/// The resolutions at which models look at images.
const DETAILS: [&str; 4] = ["auto", "low", "high", "original"];

/// Returns media that the target takes, or a text in place of it: the model is told, so that no
/// message is empty. `is_own` is whether the request is one of the target's protocol.
pub(super) fn check(
    mut part: Part,
    to: &Requirements,
    allowed: &[(MediaForm, Way)],
    is_own: bool,
    losses: &mut Losses,
) -> Part {
    let Content::Media(media) = &mut part.content else { return part };
    if !is_own {
        media.name.take_if(|name| name.is_empty());
        media.media_type.take_if(|name| name.is_empty());
    }
    let is_broken = to.needs_results && !is_own && repair(media);
    if to.needs_results
        && !is_own
        && media.media_type.is_none()
        && media.source.way() == Way::Base64
    {
        let known = media.type_or_usual();
        let is_of_kind =
            media.kind == MediaForm::File || MediaForm::of_type(Some(known)) == media.kind;
        media.media_type =
            Some(if is_of_kind { known.into() } else { media.kind.usual_type().into() });
    }
    // What was sent as a file is known by its media type.
    if media.kind == MediaForm::File {
        media.kind = MediaForm::of_type(media.media_type.as_deref());
    }
    let is_foreign = match &media.source {
        MediaSource::File { provider, id } => is_foreign_file(provider, id, to),
        _ => false,
    };
    let is_refused = is_refused_type(media, to);
    let is_taken = !is_broken && !is_foreign && !is_refused;
    if is_taken && allowed.contains(&(media.kind, media.source.way())) {
        if !is_own {
            details(media, to, losses);
        }
        return part;
    }
    if let (Some("text"), MediaSource::Base64(data), false) =
        (media.main_type(), &media.source, is_broken)
        && let Some(text) = decode(data).and_then(|bytes| String::from_utf8(bytes).ok())
    {
        media.source = MediaSource::Text(text);
        media.media_type = Some("text/plain".into());
        if allowed.contains(&(media.kind, Way::Text)) {
            return part;
        }
    }
    let place = media.name.as_deref().unwrap_or_default();
    if let MediaSource::Text(text) = &mut media.source
        && !is_broken
    {
        losses.add(LossClass::Cosmetic, "file", place, "the document is sent as text");
        return Part::text(take(text));
    }
    let reason = if is_broken {
        "it has neither data nor an address: the model is told that it is left out"
    } else if is_foreign {
        "the file is at another provider: the model is told that it is left out"
    } else if is_refused {
        "the target does not take this media type: the model is told that it is left out"
    } else {
        "the target does not take it here: the model is told that it is left out"
    };
    losses.add(LossClass::Contract, media.kind.name(), place, reason);
    Part::text(left_out(media))
}

/// Leaves out what a target does not have of media that it takes.
fn details(media: &mut Media, to: &Requirements, losses: &mut Losses) {
    let place = media.name.as_deref().unwrap_or_default();
    let is_known =
        |detail: &str| to.media_detail && (!to.needs_results || DETAILS.contains(&detail));
    if let Some(detail) = media.detail.take_if(|detail| !is_known(detail))
        && detail != "auto"
    {
        let reason = "the target has no such resolution for images";
        losses.add(LossClass::Cosmetic, "media-detail", place, reason);
    }
    if !to.media_names.contains(&media.kind) && media.name.is_some() {
        losses.add(LossClass::Cosmetic, "filename", place, "the target has no names of files");
        media.name = None;
    }
}

/// Leaves out types that are none, and writes base64 in the usual alphabet. Returns whether the
/// server of a model has nothing to read.
fn repair(media: &mut Media) -> bool {
    media.media_type.take_if(|name| !name.contains('/'));
    match &mut media.source {
        MediaSource::Url(url) => {
            !["https://", "http://", "gs://"].iter().any(|scheme| url.starts_with(scheme))
        }
        MediaSource::Base64(data) => match usual_base64(data) {
            Some(Cow::Borrowed(_)) => false,
            Some(Cow::Owned(usual)) => {
                *data = usual;
                false
            }
            None => true,
        },
        MediaSource::File { id, .. } => id.is_empty(),
        MediaSource::Text(text) => text.trim().is_empty(),
    }
}

/// Returns base64 in the usual alphabet, with its padding and without spaces; `None` for a text
/// that is none, and for no data.
fn usual_base64(data: &str) -> Option<Cow<'_, str>> {
    let body = data.trim_end_matches('=');
    let is_usual = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'+' | b'/');
    if !body.is_empty()
        && data.len().is_multiple_of(4)
        && data.len() - body.len() < 3
        && body.bytes().all(is_usual)
    {
        return Some(Cow::Borrowed(data));
    }
    let mut usual = String::with_capacity(data.len() + 2);
    for letter in body.chars() {
        match letter {
            '-' => usual.push('+'),
            '_' => usual.push('/'),
            '\t' | '\n' | '\r' | ' ' => {}
            letter if u8::try_from(letter).is_ok_and(is_usual) => usual.push(letter),
            _ => return None,
        }
    }
    match usual.len() % 4 {
        _ if usual.is_empty() => return None,
        0 => {}
        2 => usual.push_str("=="),
        3 => usual.push('='),
        _ => return None,
    }
    Some(Cow::Owned(usual))
}

/// Whether a file is not one of the target's provider.
fn is_foreign_file(provider: &str, id: &str, to: &Requirements) -> bool {
    let is_other = !to.provider.is_empty() && !provider.is_empty() && *provider != *to.provider;
    is_other
        || !to.file_starts.is_empty() && !to.file_starts.iter().any(|start| id.starts_with(start))
}

/// Whether the target does not take the media type of base64.
fn is_refused_type(media: &Media, to: &Requirements) -> bool {
    let known = to.media_types.iter().find(|(kind, _)| *kind == media.kind);
    let (Some((_, types)), Some(given)) = (known, &media.media_type) else { return false };
    media.source.way() == Way::Base64
        && !types.iter().any(|known| known.eq_ignore_ascii_case(given))
}

/// The text in place of media that a target does not take.
fn left_out(media: &Media) -> String {
    match &media.name {
        Some(name) => ["[", media.kind.name(), " left out: ", name, "]"].concat(),
        None => ["[", media.kind.name(), " left out]"].concat(),
    }
}

impl MediaForm {
    /// Returns the name in losses.
    pub(crate) fn name(self) -> &'static str {
        match self {
            MediaForm::Image => "image",
            MediaForm::Audio => "audio",
            MediaForm::Video => "video",
            MediaForm::File => "file",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_written_in_the_usual_alphabet() {
        assert!(matches!(usual_base64("iVBORw0KGgo="), Some(Cow::Borrowed(_))));
        for (given, usual) in
            [("-_-_", "+/+/"), ("aQ", "aQ=="), ("aQ=", "aQ=="), ("iVBO\r\nRw0KGgo", "iVBORw0KGgo=")]
        {
            assert_eq!(usual_base64(given).as_deref(), Some(usual));
        }
        for given in ["", "=", "a", "ü", "not base64!", "https://a"] {
            assert_eq!(usual_base64(given), None, "{given}");
        }
    }
}
