//! How all parts of the fold tell the sink what they have to say.

use alloc::string::String;

use super::AgentApiFold;
use crate::core::fold::{Key, Metered, Node, SinkValue};
use crate::json::{Object, Raw, Str};
use crate::protocols::agent_api::event::ErrorValue;
use crate::protocols::agent_api::model::{Content, MODEL};

impl AgentApiFold {
    pub(super) fn set_string(&mut self, node: Node, key: Key, text: Str<'_>, sink: &mut Metered<'_>) {
        match text.as_plain() {
            Some(plain) => sink.set(node, key, SinkValue::Str(plain)),
            None => sink.set(node, key, SinkValue::Str(&text.to_str())),
        };
    }

    /// A string that is probably one of the protocol's words.
    pub(super) fn set_word(&mut self, node: Node, key: Key, text: &str, sink: &mut Metered<'_>) {
        sink.set(node, key, MODEL.word(text).map_or(SinkValue::Str(text), SinkValue::Word));
    }

    pub(super) fn set_status(&mut self, node: Node, status: &str, sink: &mut Metered<'_>) {
        self.set_word(node, Content::status, status, sink);
    }

    #[cold]
    pub(super) fn set_error(
        &mut self,
        node: Node,
        error: &ErrorValue<'_>,
        default_code: &str,
        sink: &mut Metered<'_>,
    ) {
        let mut json = String::new();
        let mut object = Object::open(&mut json, false);
        object.string("code", Some(error.code.as_deref().unwrap_or(default_code)));
        object.string("message", Some(&error.message));
        object.close();
        sink.set(node, Content::error, SinkValue::Json(Raw(&json)));
    }
}
