//! Forms with one file (multipart/form-data), and the types of files by their content.

use std::format;
use std::string::String;
use std::time::Duration;
use std::vec::Vec;

use axum_core::extract::Request;
use bytes::Bytes;
use multer::{Constraints, Multipart, SizeLimit, parse_boundary};
use tokio::time::timeout;

use super::options::EndpointLimits;
use crate::protocols::runs::problem::{Code, RefusedRequest};
use crate::threads::{Refusal, reject};

/// The maximum number of bytes of a form in addition to the file.
const AROUND: usize = 64 * 1024;
/// The maximum number of parts of a form: each costs more than its bytes.
const PARTS: usize = 100;

/// The codes of one kind of upload.
pub(super) struct UploadCodes {
    pub too_large: Code,
    pub empty: Code,
}

/// A form with its file.
pub(super) struct UploadForm {
    pub fields: Vec<(String, String)>,
    pub file: Bytes,
    /// The media type that the client has declared.
    pub kind: String,
}

/// Receives a form with a file of that name. Refuses a form without a length, that is too large, or
/// takes too long.
pub(super) async fn receive(
    request: Request,
    name: &str,
    codes: UploadCodes,
    limits: &EndpointLimits,
) -> Result<UploadForm, Refusal> {
    let headers = request.headers();
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(length) = header("content-length").and_then(|length| length.parse::<usize>().ok())
    else {
        return reject(Code::LengthRequired, "an upload has a Content-Length");
    };
    let too_large = || {
        let detail = format!("a file has at most {} bytes", limits.file_bytes);
        Refusal::Client(RefusedRequest::new(codes.too_large, detail))
    };
    if length > limits.file_bytes.saturating_add(AROUND) {
        return Err(too_large());
    }
    let boundary = match parse_boundary(header("content-type").unwrap_or_default()) {
        Ok(boundary) => boundary,
        Err(multer::Error::NoBoundary) => return no_form(),
        Err(_) => {
            let detail = "an upload is a form (multipart/form-data)";
            return reject(Code::MediaTypeUnsupported, detail);
        }
    };
    let whole = SizeLimit::new().whole_stream(length as u64).per_field(limits.file_bytes as u64);
    let body = request.into_body().into_data_stream();
    let form = Multipart::with_constraints(body, boundary, Constraints::new().size_limit(whole));
    let received = timeout(limits.body_time, read(form, name)).await;
    let (fields, mut files) = match received {
        Err(_) => return reject(Code::BodyTimeout, "the upload took too long"),
        Ok(Err(
            multer::Error::FieldSizeExceeded { .. } | multer::Error::StreamSizeExceeded { .. },
        )) => {
            return Err(too_large());
        }
        Ok(Err(_)) => return no_form(),
        Ok(Ok(None)) => return reject(Code::PayloadInvalid, "a form has at most 100 parts"),
        Ok(Ok(Some(read))) => read,
    };
    match (files.pop(), files.is_empty()) {
        (Some((_, file)), true) if file.is_empty() => reject(codes.empty, "the file is empty"),
        (Some((kind, file)), true) => Ok(UploadForm { fields, file, kind }),
        _ => reject(Code::PayloadInvalid, "the form has one file"),
    }
}

/// The fields of a form, and its files with their types.
type FormParts = (Vec<(String, String)>, Vec<(String, Bytes)>);

/// Returns the parts of a form; `None` if there are too many.
async fn read(mut form: Multipart<'_>, name: &str) -> Result<Option<FormParts>, multer::Error> {
    let (mut fields, mut files, mut count) = (Vec::new(), Vec::new(), 0);
    while let Some(field) = form.next_field().await? {
        count += 1;
        if count > PARTS {
            return Ok(None);
        }
        let key: String = field.name().unwrap_or_default().into();
        match field.file_name() {
            Some(_) if key == name => {
                let kind =
                    field.content_type().map_or_else(String::new, |kind| kind.essence_str().into());
                files.push((kind, field.bytes().await?));
            }
            Some(_) => drop(field.bytes().await?),
            None => fields.push((key, field.text().await?)),
        }
    }
    Ok(Some((fields, files)))
}

fn no_form<T>() -> Result<T, Refusal> {
    reject(Code::PayloadInvalid, "the body is not a form (multipart/form-data)")
}

/// The types of images, by their first bytes; a NUL matches any byte.
const IMAGES: [(&str, &str, &[u8]); 5] = [
    ("image/png", "png", b"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", "jpg", b"\xff\xd8\xff"),
    ("image/gif", "gif", b"GIF87a"),
    ("image/gif", "gif", b"GIF89a"),
    ("image/webp", "webp", b"RIFF\0\0\0\0WEBP"),
];

/// Returns the media type and the extension of an image, independently of its name and its header.
pub(super) fn image_type(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let begins = |begin: &[u8]| {
        bytes.len() >= begin.len()
            && begin.iter().zip(bytes).all(|(one, byte)| *one == 0 || one == byte)
    };
    IMAGES
        .iter()
        .find(|(_, _, begin)| begins(begin))
        .map(|(kind, extension, _)| (*kind, *extension))
}

/// Returns the media type of an extension.
pub(super) fn type_of(path: &str) -> &'static str {
    let extension = path.rsplit('.').next();
    IMAGES
        .iter()
        .find(|(_, one, _)| Some(*one) == extension)
        .map_or("application/octet-stream", |(kind, ..)| kind)
}

/// Returns the duration of the sound in a WAV file; `None` for another file.
pub(super) fn wav_duration(kind: &str, bytes: &[u8]) -> Option<Duration> {
    let is_wav = matches!(&*kind.to_ascii_lowercase(), "audio/wav" | "audio/wave" | "audio/x-wav");
    let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let name = |at: usize| bytes.get(at..at + 4);
    if !is_wav || name(0) != Some(b"RIFF") || name(8) != Some(b"WAVE") {
        return None;
    }
    let (mut at, mut per_second) = (12, 0);
    loop {
        let length = number(at + 4)? as usize;
        match name(at)? {
            b"fmt " if length >= 16 => per_second = number(at + 16)?,
            b"data" => {
                let sound = length.min(bytes.len() - at - 8) as f64;
                return (per_second > 0)
                    .then(|| Duration::from_secs_f64(sound / f64::from(per_second)));
            }
            _ => {}
        }
        at = at.checked_add(8 + length + length % 2)?;
    }
}
