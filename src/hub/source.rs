//! What the sources of this crate share: each is a fold whose decisions are passed on.

use alloc::string::String;

use super::step::RunEnd;
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

/// The stream has ended: names the events that no reader knows.
pub(crate) fn unknown_events(report: &Report, hub: &mut Hub<'_>) {
    for (name, _) in &report.unknown {
        hub.lose("unknown-event", name, "the source's protocol has no event of that name");
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
