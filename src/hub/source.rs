//! What the sources of this crate share: each is a fold whose decisions are passed on.

use alloc::string::String;

use super::end::RunEnd;
use super::note::Note;
use super::step::Step;
use super::transducer::{Hub, ToHub};
use crate::core::fold::Fold;
use crate::core::report::Report;
use crate::core::violation::Severity;
use crate::json::Str;
use crate::sse;

/// A source that reads server-sent events with a fold.
pub(crate) trait Source: for<'e> ToHub<Event<'e> = &'e sse::SseEvent<'e>> + core::fmt::Debug {
    type Fold: Fold;

    fn fold(&self) -> &Self::Fold;

    fn fold_mut(&mut self) -> &mut Self::Fold;

    /// The stream breaks off before its end. For protocols whose streams have no other end than their last byte.
    fn cut_off(&mut self) {}

    /// [`Fold::repeat`], passed on.
    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, hub: &mut Hub<'_>);
}

/// An event that the source's protocol does not have goes on as it is.
pub(crate) fn pass_unknown(protocol: &str, data: &str, report: &mut Report, hub: &mut Hub<'_>) {
    if let Some(name) = report.take_unknown() {
        hub.emit(&Step::Note(Note::Passthrough { protocol, name, data }));
    }
}

/// The end of a stream that the reader has refused.
pub(crate) fn refused(report: &Report) -> RunEnd {
    let gravest = report.violations.iter().find(|violation| violation.rule.severity == Severity::Error);
    let mut message = String::from("The upstream could not be read: ");
    message += gravest.map_or("it broke its protocol", |violation| violation.rule.recovery);
    message.push('.');
    RunEnd::failed(Some("UPSTREAM_REFUSED"), message)
}
