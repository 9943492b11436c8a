//! The body of an answer: its first bytes, which decide whether it is one, and its content coding.

use std::boxed::Box;
use std::fmt;
use std::io;
use std::pin::Pin;
use std::string::{String, ToString as _};
use std::task::{Context, Poll, ready};
use std::vec::Vec;

use bytes::Bytes;
use compression_codecs::core::util::{PartialBuffer, WriteBuffer};
use compression_codecs::{BrotliDecoder, DecodeV2, DeflateDecoder, GzipDecoder, ZlibDecoder};
use futures_core::Stream;
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, HeaderMap};

/// The bytes of an answer, without their content coding.
///
/// The codings gzip, deflate and br are decoded. A body that was sent with one of them has at most
/// [`DECODED`] bytes.
///
/// [`DECODED`]: AnswerBytes::DECODED
pub struct AnswerBytes {
    /// The bytes that have been read to find out what the body is.
    first: Vec<u8>,
    /// The failure after these bytes.
    failed: Option<BodyError>,
    source: BodySource,
    decoder: Option<ContentDecoder>,
    has_ended: bool,
}

/// Where the bytes come from.
enum BodySource {
    /// The body of a response, with its content coding.
    Response(Pin<Box<dyn Stream<Item = reqwest::Result<Bytes>> + Send>>),
    /// Another stream.
    #[cfg(feature = "model")]
    Stream(Pin<Box<dyn Stream<Item = Result<Bytes, BodyError>> + Send>>),
}

impl BodySource {
    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, BodyError>>> {
        match self {
            BodySource::Response(body) => {
                body.as_mut().poll_next(context).map_err(BodyError::Network)
            }
            #[cfg(feature = "model")]
            BodySource::Stream(stream) => stream.as_mut().poll_next(context),
        }
    }
}

impl AnswerBytes {
    /// The number of bytes that a body with a content coding may have after decoding: 256 MiB.
    pub const DECODED: u64 = 256 << 20;

    /// Takes the body of a response. Returns the content coding if it is not supported.
    pub(super) fn new(response: Response) -> Result<Self, String> {
        let decoder = match &*coding(response.headers()) {
            "" => None,
            name => Some(ContentDecoder::new(name).ok_or_else(|| name.to_string())?),
        };
        let source = BodySource::Response(Box::pin(response.bytes_stream()));
        Ok(AnswerBytes { first: Vec::new(), failed: None, source, decoder, has_ended: false })
    }

    /// Creates the bytes of an answer that is complete.
    #[cfg(feature = "model")]
    pub(crate) fn of(first: Vec<u8>) -> Self {
        struct Nothing;
        impl Stream for Nothing {
            type Item = Result<Bytes, BodyError>;

            fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
                Poll::Ready(None)
            }
        }
        AnswerBytes { first, has_ended: true, ..Self::of_stream(Nothing) }
    }

    /// Creates the bytes of an answer from a stream without a content coding.
    #[cfg(feature = "model")]
    pub(crate) fn of_stream(
        stream: impl Stream<Item = Result<Bytes, BodyError>> + Send + 'static,
    ) -> Self {
        AnswerBytes {
            first: Vec::new(),
            failed: None,
            source: BodySource::Stream(Box::pin(stream)),
            decoder: None,
            has_ended: false,
        }
    }

    /// Reads until `is_enough`, the end, or a failure, but at most about `most` bytes. Returns the
    /// bytes, which stay a part of the body.
    pub(crate) async fn peek(&mut self, most: usize, is_enough: impl Fn(&[u8]) -> bool) -> &[u8] {
        while self.failed.is_none() && self.first.len() < most && !is_enough(&self.first) {
            match std::future::poll_fn(|context| self.poll_source(context)).await {
                Some(Ok(chunk)) => self.first.extend_from_slice(&chunk),
                Some(Err(error)) => self.failed = Some(error),
                None => break,
            }
        }
        &self.first
    }

    /// Returns the failure of a body that was read to its end, if it has failed.
    #[cfg(feature = "model")]
    pub(crate) fn failure(&mut self) -> Option<BodyError> {
        self.failed.take()
    }

    fn poll_source(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, BodyError>>> {
        loop {
            if let Some(decoder) = &mut self.decoder
                && let Some(decoded) = decoder.next().transpose()
            {
                self.has_ended |= decoded.is_err();
                return Poll::Ready(Some(decoded));
            }
            if self.has_ended {
                return Poll::Ready(None);
            }
            let chunk = ready!(self.source.poll_next(context));
            self.has_ended = !matches!(chunk, Some(Ok(_)));
            return Poll::Ready(match (chunk, &mut self.decoder) {
                (Some(Ok(chunk)), Some(decoder)) => {
                    decoder.input = chunk;
                    continue;
                }
                (Some(chunk), _) => Some(chunk),
                (None, Some(decoder)) if decoder.is_cut_off() => Some(Err(cut_off())),
                (None, _) => None,
            });
        }
    }
}

impl Stream for AnswerBytes {
    type Item = Result<Bytes, BodyError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if !self.first.is_empty() {
            return Poll::Ready(Some(Ok(std::mem::take(&mut self.first).into())));
        }
        if let Some(error) = self.failed.take() {
            self.has_ended = true;
            return Poll::Ready(Some(Err(error)));
        }
        self.poll_source(context)
    }
}

impl fmt::Debug for AnswerBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerBytes").field("has_ended", &self.has_ended).finish_non_exhaustive()
    }
}

/// The reason why the body of an answer broke off.
#[derive(Debug)]
#[non_exhaustive]
pub enum BodyError {
    /// The connection failed.
    Network(reqwest::Error),
    /// The content coding of the body is damaged, or ends before the body does.
    Coding(io::Error),
    /// A body with a content coding has more than [`AnswerBytes::DECODED`] bytes.
    TooLong,
}

impl fmt::Display for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BodyError::Network(error) => error.fmt(f),
            BodyError::Coding(error) => write!(f, "the body cannot be decompressed: {error}"),
            BodyError::TooLong => {
                write!(f, "the body has more than {} bytes when decompressed", AnswerBytes::DECODED)
            }
        }
    }
}

impl std::error::Error for BodyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BodyError::Network(error) => Some(error),
            BodyError::Coding(error) => Some(error),
            BodyError::TooLong => None,
        }
    }
}

fn cut_off() -> BodyError {
    BodyError::Coding(io::ErrorKind::UnexpectedEof.into())
}

/// Returns the content coding in lower case; empty without one.
fn coding(headers: &HeaderMap) -> String {
    let named = headers.get_all(CONTENT_ENCODING).iter().map(|value| value.to_str().unwrap_or("?"));
    let named =
        named.flat_map(|value| value.split(',')).map(|name| name.trim().to_ascii_lowercase());
    named.filter(|name| !matches!(&**name, "" | "identity")).collect::<Vec<_>>().join(", ")
}

/// Decodes a content coding, a piece at a time.
struct ContentDecoder {
    /// `None` until the first byte of the coding deflate, which has two forms.
    codec: Option<Box<dyn DecodeV2 + Send>>,
    /// The bytes to decode.
    input: Bytes,
    /// The last piece was full: there may be more without further input.
    is_full: bool,
    is_gzip: bool,
    has_begun: bool,
    has_ended: bool,
    decoded: u64,
}

impl ContentDecoder {
    /// The maximum number of bytes of a piece.
    const PIECE: usize = 16 << 10;

    fn new(coding: &str) -> Option<Self> {
        let is_gzip = matches!(coding, "gzip" | "x-gzip");
        let codec: Option<Box<dyn DecodeV2 + Send>> = match coding {
            "br" => Some(Box::new(BrotliDecoder::new())),
            "deflate" => None,
            _ if is_gzip => Some(Box::new(GzipDecoder::new())),
            _ => return None,
        };
        let (input, has_begun, has_ended) = (Bytes::new(), false, false);
        Some(ContentDecoder {
            codec,
            input,
            is_full: false,
            is_gzip,
            has_begun,
            has_ended,
            decoded: 0,
        })
    }

    /// Whether the source may not end here. An empty body is complete.
    fn is_cut_off(&self) -> bool {
        self.has_begun && !self.has_ended
    }

    /// Returns the next piece, or `None` if it needs more input.
    fn next(&mut self) -> Result<Option<Bytes>, BodyError> {
        let mut piece = std::vec![0; Self::PIECE];
        let mut output = WriteBuffer::new_initialized(&mut piece);
        if let (true, Some(codec)) = (self.is_full, &mut self.codec) {
            codec.flush(&mut output).map_err(BodyError::Coding)?;
        }
        while !self.input.is_empty() && !output.has_no_spare_space() {
            if self.has_ended {
                // Another member of gzip, or bytes after the end.
                if !self.is_gzip || self.input[0] != 0x1f {
                    self.input.clear();
                    break;
                }
                self.codec = Some(Box::new(GzipDecoder::new()));
            }
            self.has_begun = true;
            // The first byte of the form with a header has these bits, and that of the form without
            // it has not.
            let has_header = self.input[0] & 0x0f == 8;
            let codec = self.codec.get_or_insert_with(|| match has_header {
                true => Box::new(ZlibDecoder::new()),
                false => Box::new(DeflateDecoder::new()),
            });
            let (mut input, before) = (PartialBuffer::new(&self.input[..]), output.written_len());
            self.has_ended = codec.decode(&mut input, &mut output).map_err(BodyError::Coding)?;
            let taken = input.written_len();
            if taken == 0 && output.written_len() == before && !self.has_ended {
                return Err(BodyError::Coding(io::ErrorKind::InvalidData.into()));
            }
            drop(self.input.split_to(taken));
        }
        self.is_full = output.has_no_spare_space();
        let length = output.written_len();
        self.decoded += length as u64;
        if self.decoded > AnswerBytes::DECODED {
            return Err(BodyError::TooLong);
        }
        piece.truncate(length);
        Ok((length > 0).then(|| piece.into()))
    }
}
