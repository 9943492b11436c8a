//! Tool calls, their results, and what they wait for. (M7, M8.)

use alloc::string::String;
use alloc::vec::Vec;

use super::super::lifecycle::{BlockEvent, BlockState};
use super::super::model::{
    CallState, OutputData, OutputText, ResultState, Status, ToolCallBlock, ToolResultBlock,
};
use super::super::rules;
use super::AgentScopeFold;
use super::blocks::{DataState, FoldedBlocks, has_source};
use crate::bytes::string_map::StringMap;
use crate::core::Observed;
use crate::engine::{Context, FieldValue, ObjectId, ObjectLimit, Subject, TextSlot};
use crate::json::{Element, Str};

/// The calls of the reply, and their results.
#[derive(Clone, Debug, Default)]
pub(super) struct FoldedCalls {
    calls: FoldedBlocks<CallContent>,
    results: FoldedBlocks<ResultContent>,
}

#[derive(Clone, Debug)]
struct CallContent {
    input: Option<TextSlot>,
    state: CallState,
}

#[derive(Clone, Debug, Default)]
struct ResultContent {
    /// The objects of its output.
    output: Vec<ObjectId>,
    /// The last block, if it is text.
    text: Option<TextSlot>,
    /// The media, with their objects.
    data: Vec<(ObjectId, DataState)>,
    /// The places of the media by the ids of their blocks; `None` for one that a limit has refused.
    data_by_id: StringMap<Option<usize>>,
    /// The output is that of a client's execution, which the agent repeats.
    is_repeated: bool,
}

impl FoldedCalls {
    pub fn report_open(&self, cx: &mut Context<'_>) {
        self.calls.report_open(cx);
        self.results.report_open(cx);
    }

    /// Ends the inputs and results with the stream.
    pub fn finish(&mut self, cx: &mut Context<'_>) {
        for call in &self.calls.all {
            if let Some(input) = call.content.input {
                cx.end_text(input);
            }
        }
        for result in &mut self.results.all {
            result.content.end(cx);
        }
        self.calls.list_unfinished(cx);
        // A result that has no end yet belongs to a call that waits, or to one that is listed.
    }
}

impl ResultContent {
    fn end_text(&mut self, cx: &mut Context<'_>) {
        if let Some(text) = self.text.take() {
            cx.end_text(text);
        }
    }

    /// Ends the text and the media.
    fn end(&mut self, cx: &mut Context<'_>) {
        self.end_text(cx);
        for (node, state) in &mut self.data {
            state.end(*node, OutputData::source, cx);
        }
    }

    /// Removes the output, before that of the agent takes its place.
    fn clear(&mut self, node: Option<ObjectId>, cx: &mut Context<'_>) {
        self.end_text(cx);
        let output = core::mem::take(self).output;
        for block in output.into_iter().rev() {
            if let Some(node) = node {
                cx.remove(node, ToolResultBlock::output, block);
            }
        }
    }

    fn add_text(&mut self, result: ObjectId, owner: Subject, piece: Str<'_>, cx: &mut Context<'_>) {
        if self.text.is_none() {
            let (kind, limit) = (OutputText::KIND, ObjectLimit::Contents);
            let Some(node) = cx.open(kind, result, ToolResultBlock::output, limit, owner) else {
                return;
            };
            self.output.push(node);
            self.text = Some(cx.text(node, OutputText::text, owner));
        }
        if let Some(text) = self.text {
            cx.append(text, piece);
        }
    }

    fn add_data(
        &mut self,
        (result, owner): (ObjectId, Subject),
        block: &str,
        media_type: &str,
        piece: (Option<Str<'_>>, Option<Str<'_>>),
        cx: &mut Context<'_>,
    ) {
        // Media without an id are a block of their own.
        let known = self.data_by_id.get(block).copied().filter(|_| !block.is_empty());
        let at = known.unwrap_or_else(|| {
            self.end_text(cx);
            let (kind, limit) = (OutputData::KIND, ObjectLimit::Contents);
            let node = cx.open(kind, result, ToolResultBlock::output, limit, owner);
            let at = node.map(|node| {
                self.output.push(node);
                cx.set_short(node, OutputData::id, block);
                DataState::begin(node, OutputData::source, media_type, cx);
                self.data.push((node, DataState::default()));
                self.data.len() - 1
            });
            self.data_by_id.insert(block, at);
            at
        });
        if let Some((node, state)) = at.and_then(|at| self.data.get_mut(at)) {
            state.add((*node, OutputData::source), media_type, piece, block, cx);
        }
    }

    /// Adds the blocks of a whole output: a text, or a list of text and data blocks.
    fn add_all(
        &mut self,
        place: (ObjectId, Subject),
        output: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        if let Ok(text) = output.string() {
            return self.add_text(place.0, place.1, text, cx);
        }
        for block in output.items() {
            let text = |of: Option<Element<'_, '_>>, name: &str| {
                of.and_then(|of| of.member(name))
                    .and_then(|text| text.string().ok().map(|text| String::from(&*text.to_str())))
            };
            match text(Some(block), "type").as_deref() {
                Some("text") => {
                    if let Some(piece) = block.member("text").and_then(|text| text.string().ok()) {
                        self.add_text(place.0, place.1, piece, cx);
                    }
                }
                Some("data") => {
                    let source = block.member("source");
                    let member =
                        |name: &str| source.and_then(|source| source.member(name)?.string().ok());
                    let media_type = text(source, "media_type").unwrap_or_default();
                    let id = text(Some(block), "id").unwrap_or_default();
                    let piece = (member("data"), member("url"));
                    if has_source(piece, &id, cx) {
                        self.add_data(place, &id, &media_type, piece, cx);
                    }
                }
                other => cx.record(&rules::CALL_LIST, Observed::Name(other.unwrap_or("no type"))),
            }
        }
    }
}

impl AgentScopeFold {
    /// Opens a call.
    fn open_call(&mut self, id: &str, name: &str, cx: &mut Context<'_>) -> usize {
        let node = self.open(ToolCallBlock::KIND, cx);
        let owner = cx.next_owner();
        let input = node.map(|node| {
            cx.set_short(node, ToolCallBlock::id, id);
            cx.set_text(node, ToolCallBlock::name, name);
            cx.text(node, ToolCallBlock::input, owner)
        });
        self.calls.calls.add(id, node, CallContent { input, state: CallState::Pending }, cx)
    }

    pub(super) fn start_call(&mut self, id: &str, name: &str, cx: &mut Context<'_>) {
        self.go_on(cx);
        if self.calls.calls.apply(id, BlockEvent::Start, "TOOL_CALL_START", cx).is_some() {
            self.open_call(id, name, cx);
        }
    }

    pub(super) fn call_delta(&mut self, id: &str, delta: Str<'_>, cx: &mut Context<'_>) {
        let calls = &mut self.calls.calls;
        if let Some(Some(at)) = calls.apply(id, BlockEvent::Delta, "TOOL_CALL_DELTA", cx)
            && let Some(input) = calls.all[at].content.input
        {
            cx.append(input, delta);
        }
    }

    pub(super) fn end_call(&mut self, id: &str, cx: &mut Context<'_>) {
        let calls = &mut self.calls.calls;
        if let Some(Some(at)) = calls.apply(id, BlockEvent::End, "TOOL_CALL_END", cx) {
            self.settle_input(at, cx);
        }
    }

    /// Notes the end of a call's input.
    fn settle_input(&mut self, at: usize, cx: &mut Context<'_>) {
        let call = &self.calls.calls.all[at];
        if let (Some(input), Some(node)) = (call.content.input, call.node) {
            cx.end_text(input);
            self.stamp(node, ToolCallBlock::input, cx);
        }
    }

    fn set_call_state(&mut self, at: usize, state: CallState, cx: &mut Context<'_>) {
        let call = &mut self.calls.calls.all[at];
        if call.content.state != state {
            call.content.state = state;
            if let Some(node) = call.node {
                cx.set(node, ToolCallBlock::state, state.value());
            }
        }
    }

    /// Opens a result.
    fn open_result(&mut self, id: &str, name: &str, cx: &mut Context<'_>) -> usize {
        if self.calls.calls.place(id).is_none() && !self.continues {
            cx.record_of(&rules::RESULT_WITHOUT_CALL, id, Observed::Name(name));
        }
        let node = self.open(ToolResultBlock::KIND, cx);
        if let Some(node) = node {
            cx.set_short(node, ToolResultBlock::id, id);
            cx.set_text(node, ToolResultBlock::name, name);
        }
        self.calls.results.add(id, node, ResultContent::default(), cx)
    }

    pub(super) fn start_result(&mut self, id: &str, name: &str, cx: &mut Context<'_>) {
        if self.calls.results.apply(id, BlockEvent::Start, "TOOL_RESULT_START", cx).is_some() {
            self.open_result(id, name, cx);
        }
    }

    /// Returns the place of a result that gets content.
    fn result(&mut self, id: &str, name: &'static str, cx: &mut Context<'_>) -> Option<usize> {
        let results = &mut self.calls.results;
        let at = results.apply(id, BlockEvent::Delta, name, cx)??;
        let result = &mut results.all[at];
        if core::mem::take(&mut result.content.is_repeated) {
            result.content.clear(result.node, cx);
        }
        Some(at)
    }

    pub(super) fn result_text(&mut self, id: &str, delta: Str<'_>, cx: &mut Context<'_>) {
        if let Some(at) = self.result(id, "TOOL_RESULT_TEXT_DELTA", cx) {
            let result = &mut self.calls.results.all[at];
            if let Some(node) = result.node {
                result.content.add_text(node, result.owner, delta, cx);
            }
        }
    }

    pub(super) fn result_data(
        &mut self,
        id: &str,
        block: &str,
        media_type: Str<'_>,
        piece: (Option<Str<'_>>, Option<Str<'_>>),
        cx: &mut Context<'_>,
    ) {
        if !has_source(piece, id, cx) {
            return;
        }
        if let Some(at) = self.result(id, "TOOL_RESULT_DATA_DELTA", cx) {
            let result = &mut self.calls.results.all[at];
            if let Some(node) = result.node {
                let place = (node, result.owner);
                result.content.add_data(place, block, &media_type.to_str(), piece, cx);
            }
        }
    }

    pub(super) fn end_result(
        &mut self,
        id: &str,
        state: &str,
        metadata: Option<Option<Element<'_, '_>>>,
        cx: &mut Context<'_>,
    ) {
        let results = &mut self.calls.results;
        let Some(Some(at)) = results.apply(id, BlockEvent::End, "TOOL_RESULT_END", cx) else {
            return;
        };
        self.settle_result(at, id, state, metadata.flatten(), cx);
    }

    /// Ends a result with its state. Its call has ended with it.
    fn settle_result(
        &mut self,
        at: usize,
        id: &str,
        state: &str,
        metadata: Option<Element<'_, '_>>,
        cx: &mut Context<'_>,
    ) {
        let state = match state {
            "success" => ResultState::Success,
            "error" => ResultState::Error,
            "interrupted" => ResultState::Interrupted,
            "denied" => ResultState::Denied,
            other => {
                cx.record_of(&rules::RESULT_STATE, id, Observed::Name(other));
                ResultState::Error
            }
        };
        let result = &mut self.calls.results.all[at];
        result.content.end(cx);
        if let Some(node) = result.node {
            if let Some(metadata) = metadata.filter(|metadata| metadata.members().next().is_some())
            {
                cx.set(node, ToolResultBlock::metadata, FieldValue::Free(metadata));
            }
            cx.set(node, ToolResultBlock::state, state.value());
            self.stamp(node, ToolResultBlock::output, cx);
        }
        if let Some(call) = self.calls.calls.place(id) {
            self.set_call_state(call, CallState::Finished, cx);
        }
    }

    /// Returns the place of a call that is given as a block, which is added if it is not known.
    fn listed(
        &mut self,
        block: Option<Element<'_, '_>>,
        cx: &mut Context<'_>,
    ) -> Option<(usize, String)> {
        let text = |name: &str| block.and_then(|block| block.member(name)?.string().ok());
        let Some(id) = text("id").map(Str::to_str).filter(|id| !id.is_empty()) else {
            cx.record(&rules::CALL_LIST, Observed::Words("no id"));
            return None;
        };
        let at = match self.calls.calls.place(&id) {
            Some(at) => at,
            None => {
                let name = text("name").map(Str::to_str).unwrap_or_default();
                if !self.continues {
                    cx.record_of(&rules::UNKNOWN_CALL, &id, Observed::Name(&name));
                }
                let at = self.open_call(&id, &name, cx);
                if let (Some(slot), Some(input)) =
                    (self.calls.calls.all[at].content.input, text("input"))
                {
                    cx.append(slot, input);
                }
                self.calls.calls.all[at].state = BlockState::Ended;
                self.settle_input(at, cx);
                at
            }
        };
        Some((at, id.into()))
    }

    /// Calls wait: for the user, or for the client.
    pub(super) fn require(
        &mut self,
        calls: Option<Element<'_, '_>>,
        of_user: bool,
        cx: &mut Context<'_>,
    ) {
        let Some(calls) = calls.filter(|calls| calls.array().is_ok()) else {
            return cx.record(&rules::CALL_LIST, Observed::Words("no list"));
        };
        for block in calls.items() {
            let Some((at, _)) = self.listed(Some(block), cx) else { continue };
            let call = &self.calls.calls.all[at];
            if call.content.state == CallState::Finished {
                continue;
            }
            let rules = block.member("suggested_rules");
            let rules = rules.filter(|rules| rules.items().next().is_some());
            if let (Some(rules), Some(node)) = (rules, call.node) {
                cx.set(node, ToolCallBlock::suggested_rules, FieldValue::Free(rules));
            }
            let state = if of_user { CallState::Asking } else { CallState::Submitted };
            self.set_call_state(at, state, cx);
        }
        self.set_status(Status::Waiting, cx);
    }

    /// The user has answered.
    pub(super) fn confirmed(&mut self, results: Option<Element<'_, '_>>, cx: &mut Context<'_>) {
        let Some(results) = results.filter(|results| results.array().is_ok()) else {
            return cx.record(&rules::CALL_LIST, Observed::Words("no list"));
        };
        for result in results.items() {
            let Some((at, _)) = self.listed(result.member("tool_call"), cx) else { continue };
            let is_open = matches!(
                self.calls.calls.all[at].content.state,
                CallState::Asking | CallState::Pending
            );
            if is_open {
                let confirmed = result.member("confirmed").is_some_and(|is| is.bool() == Ok(true));
                let state = if confirmed { CallState::Allowed } else { CallState::Finished };
                self.set_call_state(at, state, cx);
            }
        }
    }

    /// The client has executed calls. The agent repeats their output as a result. (M8.)
    pub(super) fn executed(&mut self, results: Option<Element<'_, '_>>, cx: &mut Context<'_>) {
        let Some(results) = results.filter(|results| results.array().is_ok()) else {
            return cx.record(&rules::CALL_LIST, Observed::Words("no list"));
        };
        for block in results.items() {
            let text = |name: &str| block.member(name).and_then(|text| text.string().ok());
            let Some(id) = text("id").map(Str::to_str).filter(|id| !id.is_empty()) else {
                cx.record(&rules::CALL_LIST, Observed::Words("no id"));
                continue;
            };
            let name = text("name").map(Str::to_str).unwrap_or_default();
            let at = match self.calls.results.place(&id) {
                Some(at) if self.calls.results.all[at].state == BlockState::Ended => continue,
                Some(at) => at,
                None => self.open_result(&id, &name, cx),
            };
            let result = &mut self.calls.results.all[at];
            if let (Some(node), Some(output)) = (result.node, block.member("output")) {
                result.content.add_all((node, result.owner), output, cx);
                result.content.is_repeated = true;
            }
        }
    }
}
