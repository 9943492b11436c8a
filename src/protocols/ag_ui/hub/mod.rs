//! AG-UI and the hub. (F.1 to F.3.)

mod source;
mod target;
mod usage;

use alloc::string::String;

pub use source::FromAgUi;
pub use target::ToAgUi;

use crate::hub::conversation::RequestCodec;
use crate::hub::{EndStatus, WriteOptions, conversion};
use crate::protocols::ag_ui::AgUi;

conversion!(AgUi: source::AgUiSource {
    fn requests() -> Option<&'static RequestCodec> {
        Some(&super::conversation::REQUESTS)
    }
} => hub => ToAgUi(WriteOptions) {
    fn can_write_pieces(target: &mut ToAgUi) -> bool {
        target.can_write_pieces()
    }

    fn write_pieces(target: &mut ToAgUi, text: &str, ends: &[usize], out: &mut String) {
        target.write_pieces(text, ends, out);
    }
});

/// The members of a run's metadata that contain its status and reason, if AG-UI does not have such
/// an end.
const STATUS: &str = "status";
const REASON: &str = "reason";
/// The error messages of such ends, if the source does not have one.
const INCOMPLETE: &str = "The run is incomplete.";
const REJECTED: &str = "The run was rejected.";
/// The kind of a span of reasoning at the hub.
const REASONING: &str = "reasoning";
/// The member of an interrupt's metadata that contains the payload of the question (F.3).
const PAYLOAD: &str = "payload";

/// Returns whether the last event of a run has this status in its metadata, because AG-UI has only
/// one kind of failure.
fn is_in_metadata(status: EndStatus) -> bool {
    matches!(status, EndStatus::Incomplete | EndStatus::Rejected)
}
