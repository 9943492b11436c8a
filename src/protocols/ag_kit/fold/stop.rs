//! What stops a turn: an interrupt, which pauses it, and an error.

use alloc::borrow::Cow;
use alloc::string::String;

use super::{AgKitFold, NO_CALL};
use crate::core::fold::{Metered, SinkValue};
use crate::core::observed::Observed;
use crate::core::report::Ended;
use crate::json::{Object, Raw, Str};
use crate::protocols::ag_kit::lifecycle::TurnEvent;
use crate::protocols::ag_kit::snapshot::ErrorInfo;
use crate::protocols::ag_kit::{rules, schema};

impl AgKitFold {
    /// K5: the turn is paused; a missing reason and a missing payload are null.
    pub(super) fn interrupt(
        &mut self,
        id: Str<'_>,
        reason: Option<Str<'_>>,
        payload: Option<Raw<'_>>,
        sink: &mut Metered<'_>,
    ) {
        if !self.says(TurnEvent::Interrupt, "interrupt") {
            return;
        }
        let Some(node) = self.open(schema::KIND_INTERRUPT, NO_CALL, sink) else { return };
        sink.set_short(node, schema::ID, &id.to_str());
        if let Some(reason) = reason {
            sink.set(node, schema::REASON, SinkValue::Str(&reason.to_str()));
        }
        if let Some(payload) = payload {
            sink.set(node, schema::PAYLOAD, SinkValue::Json(payload));
        }
    }

    /// K8, K9: the run has failed, and the answer is what it is now.
    pub(super) fn error(
        &mut self,
        message: Cow<'_, str>,
        details: Option<Cow<'_, str>>,
        typed: bool,
        sink: &mut Metered<'_>,
    ) {
        if !typed {
            self.breach(&rules::UNTYPED_ERROR, None, Observed::Text(&message));
        }
        if !self.says(TurnEvent::Error, "error") {
            return;
        }
        self.failed = true;
        self.report.ended = Ended::ErrorFrame;
        if let Some(node) = self.open(schema::KIND_ERROR, NO_CALL, sink) {
            sink.set(node, schema::MESSAGE, SinkValue::Str(&message));
            if let Some(details) = &details {
                sink.set(node, schema::DETAILS, SinkValue::Str(details));
            }
        }
        let error = ErrorInfo { message: message.into_owned(), details: details.map(Cow::into_owned) };
        let mut json = String::new();
        let mut object = Object::open(&mut json, false);
        error.members(&mut object);
        object.close();
        sink.set(schema::TURN, schema::ERROR, SinkValue::Json(Raw(&json)));
        self.conclude("failed", sink);
    }
}
