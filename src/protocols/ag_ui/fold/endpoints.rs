//! The events of the Agent API Endpoints app, which are AG-UI with other members. (C.3, E13, E14.)

use alloc::string::String;

use super::AgUiMeaning;
use super::look::Looks;
use crate::core::{Observed, Reading};
use crate::engine::Context;
use crate::json::{Document, Element, Object, Raw, Str, write_string};
use crate::protocols::ag_ui::lifecycle::{Phase, Thing};
use crate::protocols::ag_ui::members::member;
use crate::protocols::ag_ui::rules;

impl AgUiMeaning {
    /// Detects the dialect of the app: every event has the ids of the thread and of the run. The first event that
    /// AG-UI declares without them decides.
    pub(super) fn look_for_dialect(&mut self, name: &str, event: &Reading<'_, '_>, cx: &mut Context<'_>) {
        if self.endpoints
            || matches!(name, "RUN_STARTED" | "RUN_FINISHED")
            || self.life.phase == Phase::Fragments
        {
            return;
        }
        let has = |name| member(event.json, name).is_some();
        if !event.declares("threadId") && has("threadId") && has("runId") {
            self.endpoints = true;
            cx.breach(&rules::DIALECT_ENDPOINTS, Observed::Name(name));
        }
    }

    /// Adds the arguments of a call, which are one object.
    pub(super) fn endpoints_arguments(
        &mut self,
        id: &str,
        event: Element<'_, '_>,
        it: &Looks<'_>,
        cx: &mut Context<'_>,
    ) {
        if let Some(arguments) = member(event, "args") {
            self.whole_arguments(id, arguments, it, cx);
        }
    }

    fn whole_arguments(
        &mut self,
        id: &str,
        arguments: Element<'_, '_>,
        it: &Looks<'_>,
        cx: &mut Context<'_>,
    ) {
        let text = arguments.string().is_err().then(|| arguments.raw().as_str());
        let mut quoted = String::new();
        match text {
            Some(json) => write_string(json, &mut quoted),
            None => quoted.push_str(arguments.raw().as_str()),
        }
        if let Ok(document) = Document::read(&quoted, 1)
            && let Ok(delta) = document.root().string()
        {
            self.add_arguments(id, delta, it, cx);
        }
    }

    /// Adds the result of a call, which may be the first event of this call.
    pub(super) fn endpoints_result(
        &mut self,
        id: &str,
        event: Element<'_, '_>,
        it: &Looks<'_>,
        cx: &mut Context<'_>,
    ) {
        let text =
            |name| member(event, name).filter(|text| !text.is_null()).map(|text| text.words().into_owned());
        let Some(call) = text("tool_call_id").or_else(|| text("toolCallId")) else { return };
        if self.unknown_call(&call) {
            let name = text("tool_name").unwrap_or_default();
            let step = |name| Looks { name, metadata: None, ..it.clone() };
            self.start_call(&call, &name, None, &step("TOOL_CALL_START"), cx);
            if let Some(arguments) = member(event, "tool_call_args").filter(|arguments| !arguments.is_null())
            {
                self.whole_arguments(&call, arguments, &step("TOOL_CALL_ARGS"), cx);
            }
            self.end_call(&call, &step("TOOL_CALL_END"), cx);
        }
        let result = ["content", "result", "error"]
            .into_iter()
            .find_map(|name| member(event, name).filter(|value| !value.is_null()));
        // A tool message contains text or parts. Any other value is written as JSON text.
        let mut content = String::new();
        match result {
            Some(result) if result.string().is_ok() => content.push_str(result.raw().as_str()),
            Some(result) => write_string(result.raw().as_str(), &mut content),
            None => content.push_str("\"\""),
        }
        self.with_extra(
            event,
            &["tool_name", "tool_call_args", "status", "stage", "error"],
            it,
            cx,
            |this, it, cx| {
                this.add_result(id, &call, &content, it, cx);
            },
        );
    }

    /// Handles the end of a text that has not started; the event contains the whole text.
    pub(super) fn endpoints_text(
        &mut self,
        id: &str,
        event: Element<'_, '_>,
        it: &Looks<'_>,
        cx: &mut Context<'_>,
    ) {
        let answer = member(event, "answer").and_then(|answer| answer.string().ok());
        if let Some(answer) = answer.filter(|_| !self.life.open.names(Thing::Text).is_open(id)) {
            let step = |name| Looks { name, metadata: None, ..it.clone() };
            let role = member(event, "role").and_then(|role| role.string().ok());
            self.start_text(Thing::Text, id, role, None::<Str<'_>>, &step("TEXT_MESSAGE_START"), cx);
            self.add_text(Thing::Text, id, answer, &step("TEXT_MESSAGE_CONTENT"), cx);
        }
        let extra = ["status", "stage", "key_points", "suggested_actions", "ui_schema"];
        self.with_extra(event, &extra, it, cx, |this, it, cx| this.end_text(Thing::Text, id, it, cx));
    }

    /// Keeps the members that AG-UI does not have as metadata.
    fn with_extra(
        &mut self,
        event: Element<'_, '_>,
        names: &[&str],
        it: &Looks<'_>,
        cx: &mut Context<'_>,
        work: impl FnOnce(&mut Self, &Looks<'_>, &mut Context<'_>),
    ) {
        let mut json = String::new();
        let mut object = Object::open(&mut json, true);
        for name in names {
            object.raw(
                name,
                member(event, name).filter(|value| !value.is_null()).map(|value| Raw(value.raw().as_str())),
            );
        }
        object.close();
        match Document::read(&json, u32::MAX) {
            Ok(document) if !document.root().is_empty_object() => {
                let Looks { name, lane, has_raw_event, .. } = it.clone();
                work(self, &Looks { name, lane, metadata: Some(document.root()), has_raw_event }, cx);
            }
            _ => work(self, it, cx),
        }
    }
}
