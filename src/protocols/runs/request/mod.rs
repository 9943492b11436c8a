//! The requests and answers of each endpoint. (C.1.)
//!
//! [`RunInput::parse`] reads the body of `POST /runs` and reports at once every problem for which the service must not
//! queue the run (E1). The `…Query` types read the query of an address. The other types are the
//! answers.

mod answer;
mod input;
mod query;

pub use answer::{
    Attachment, AttachmentRef, CancelAccepted, HistoryMessage, HistorySnapshot, RunCreated,
    SignedUrl, Transcript, Uploaded,
};
#[cfg(feature = "runs-server")]
pub(crate) use input::is_uuid;
pub use input::{
    ClientTime, ForwardedProps, ImageSource, InputMessage, InputPart, RunInput, UserContent,
};
pub use query::{CancelQuery, EventsQuery, HistoryQuery};

use alloc::{vec, vec::Vec};

use crate::core::Limits;
use crate::core::request::{Problem, Typed, json_within};
use crate::core::requests;

requests! {
    types {
        EventsQuery CancelQuery HistoryQuery
        RunInput ForwardedProps ClientTime InputMessage UserContent InputPart ImageSource
        RunCreated CancelAccepted HistorySnapshot HistoryMessage AttachmentRef Uploaded Attachment
        SignedUrl Transcript
    }
}

/// Reads a query or an answer.
fn read<T: Typed>(json: &str) -> Result<T, Vec<Problem>> {
    let value = json_within(json, &Limits::default()).map_err(|problem| vec![problem])?;
    crate::core::request::read(value, None)
}
