//! One candidate of a response: its content grows by parts. (G1, G3, G6, G9.)

use alloc::string::String;

use super::ROOT;
use super::call::FoldedCall;
use crate::bytes::string_map::StringMap;
use crate::core::Observed;
use crate::engine::{
    Context, Field, FieldValue, ObjectId, ObjectLimit, Repeated, Subject, TextSlot,
};
use crate::json::{Element, Raw, Str, decimal};
use crate::protocols::gemini::events::{
    CandidateChunk, ContentChunk, FunctionCallChunk, PartChunk,
};
use crate::protocols::gemini::{Candidate as Answer, Content, FunctionCall, Part, Snapshot, rules};

#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub index: i64,
    node: ObjectId,
    content: ObjectId,
    /// Names the candidate in violations.
    owner: Subject,
    /// Number and offset of the event that opened it.
    opened: (u64, u64),
    /// The finish reason.
    pub finish: Option<String>,
    /// A part after the finish reason was reported.
    is_late: bool,
    /// The text that the next text continues, and whether it is a thought.
    text: Option<(TextSlot, bool)>,
    /// The function call that the next piece of arguments continues.
    call: Option<FoldedCall>,
    known: Repeated,
    content_known: Repeated,
    citations: ChunkedLists,
    logprobs: ChunkedLists,
}

impl Candidate {
    /// Opens a candidate at a place among the others.
    pub fn open(index: i64, place: usize, count: usize, cx: &mut Context<'_>) -> Option<Self> {
        let node = cx.open(
            Answer::KIND,
            ROOT,
            Snapshot::candidates,
            ObjectLimit::Messages,
            cx.next_owner(),
        )?;
        let owner = cx.own(&decimal(index));
        cx.set(node, Answer::index, FieldValue::Int(index));
        if place < count {
            cx.move_last(ROOT, Snapshot::candidates, node, place);
        }
        let content = cx.open(Content::KIND, node, Answer::content, ObjectLimit::Once, owner)?;
        Some(Candidate {
            index,
            node,
            content,
            owner,
            opened: cx.at(),
            finish: None,
            is_late: false,
            text: None,
            call: None,
            known: Repeated::default(),
            content_known: Repeated::default(),
            citations: ChunkedLists::of(
                Answer::citation_metadata,
                ["citations", "citationSources"],
                true,
            ),
            logprobs: ChunkedLists::of(
                Answer::logprobs_result,
                ["chosenCandidates", "topCandidates"],
                false,
            ),
        })
    }

    /// Applies a chunk.
    pub fn apply(&mut self, chunk: &CandidateChunk<'_>, cx: &mut Context<'_>) {
        if let Some(json) = chunk.content().and_then(|content| content.json()) {
            match ContentChunk::decode(json) {
                Ok(content) => self.add(&content, cx),
                Err(error) => cx.malformed(&error, json.raw().as_str(), self.owner, None),
            }
        }
        let Candidate { node, known, .. } = self;
        for (key, name, value) in [
            (Answer::safety_ratings, "safetyRatings", chunk.safety_ratings()),
            (Answer::grounding_metadata, "groundingMetadata", chunk.grounding_metadata()),
            (Answer::url_context_metadata, "urlContextMetadata", chunk.url_context_metadata()),
        ] {
            // An empty object or list does not replace an earlier value.
            let is_empty = value.is_some_and(|value| {
                value.is_empty_object()
                    || value.array().is_ok_and(|mut items| items.next().is_none())
            });
            known.set(*node, key, name, value.filter(|_| !is_empty), cx);
        }
        self.citations.add(self.node, chunk.citation_metadata(), cx);
        self.logprobs.add(self.node, chunk.logprobs_result(), cx);
        self.known.set_extra(self.node, Answer::SHAPE, chunk.undeclared(), cx);
        if let Some(message) = chunk.finish_message() {
            self.known.set_text(self.node, Answer::finish_message, "finishMessage", message, cx);
        }
        if let Some(reason) =
            chunk.finish_reason().map(Str::to_str).filter(|reason| !reason.is_empty())
            && self.finish.as_deref() != Some(&*reason)
        {
            cx.set_text(self.node, Answer::finish_reason, &reason);
            self.finish = Some(reason.into_owned());
        }
    }

    fn add(&mut self, content: &ContentChunk<'_>, cx: &mut Context<'_>) {
        if let Some(role) = content.role() {
            self.content_known.set_text(self.content, Content::role, "role", role, cx);
        }
        self.content_known.set_extra(self.content, Content::SHAPE, content.undeclared(), cx);
        for json in content.parts().into_iter().flat_map(|parts| parts.elements()) {
            if self.finish.is_some() && !core::mem::replace(&mut self.is_late, true) {
                cx.record_in(&rules::AFTER_FINISH, self.owner, None, Observed::Words("a part"));
            }
            match PartChunk::decode(json) {
                Ok(part) => self.part(&part, cx),
                Err(error) => cx.malformed(&error, json.raw().as_str(), self.owner, None),
            }
        }
    }

    /// Adds a part, unless it continues the last text or a function call.
    fn part(&mut self, part: &PartChunk<'_>, cx: &mut Context<'_>) {
        let is_thought = part.thought().is_some_and(|thought| thought.raw().as_str() == "true");
        // A part with a signature, or with anything else, is not joined with others. (G6.)
        let mut members = part.json().members().filter(|(_, value)| !value.is_null()).peekable();
        if members.peek().is_none() {
            return cx.record_in(
                &rules::EMPTY_PART,
                self.owner,
                None,
                Observed::Words("an empty part"),
            );
        }
        let is_plain = members.all(|(name, _)| name == "text" || name == "thought");
        if let (true, Some(piece), Some((cell, of_thought))) = (is_plain, part.text(), self.text)
            && of_thought == is_thought
        {
            cx.append(cell, piece);
            return;
        }
        let call = match part.function_call().and_then(|call| call.json()) {
            Some(json) => match FunctionCallChunk::decode(json) {
                Ok(chunk) => Some(chunk),
                Err(error) => return cx.malformed(&error, json.raw().as_str(), self.owner, None),
            },
            None => None,
        };
        let continued = match call.as_ref().map(|chunk| FoldedCall::part_of(&self.call, chunk)) {
            // Arguments without a call; an empty call marks the end of the last one.
            Some(Some(false)) => {
                if call.is_some_and(|chunk| chunk.partial_args().is_some()) {
                    cx.record_in(&rules::CALL_NAME, self.owner, None, Observed::Words("no call"));
                }
                return;
            }
            Some(Some(true)) => self.call.as_ref().map(|open| open.part),
            Some(None) => {
                self.end_call(true, cx);
                None
            }
            None => None,
        };
        let opened =
            continued.or_else(|| self.open_part(part, is_thought, is_plain, call.as_ref(), cx));
        let Some(node) = opened else { return };
        if let Some(signature) = part.thought_signature() {
            cx.set_text(node, Part::thought_signature, &signature.to_str());
        }
        if let (Some(chunk), Some(open)) = (&call, &mut self.call) {
            open.apply(chunk, cx);
            if !open.will_continue {
                self.end_call(false, cx);
            }
        }
    }

    /// Opens a part with everything but its signature and the arguments of its call.
    fn open_part(
        &mut self,
        part: &PartChunk<'_>,
        is_thought: bool,
        is_plain: bool,
        call: Option<&FunctionCallChunk<'_>>,
        cx: &mut Context<'_>,
    ) -> Option<ObjectId> {
        self.end_text(cx);
        let node =
            cx.open(Part::KIND, self.content, Content::parts, ObjectLimit::Contents, self.owner)?;
        if let Some(thought) = part.thought() {
            cx.set(node, Part::thought, FieldValue::Free(thought));
        }
        if let Some(text) = part.text() {
            let cell = cx.text(node, Part::text, self.owner);
            if text.is_empty() {
                cx.set_text(node, Part::text, "");
            } else {
                cx.append(cell, text);
            }
            self.text = Some((cell, is_thought));
            if !is_plain {
                self.end_text(cx);
            }
        }
        for (key, value) in [
            (Part::function_response, part.function_response()),
            (Part::executable_code, part.executable_code()),
            (Part::code_execution_result, part.code_execution_result()),
            (Part::inline_data, part.inline_data()),
            (Part::file_data, part.file_data()),
            (Part::tool_call, part.tool_call()),
            (Part::tool_response, part.tool_response()),
        ] {
            if let Some(value) = value {
                cx.set(node, key, FieldValue::Free(value));
            }
        }
        for (name, value) in part.undeclared() {
            cx.set_extra(node, &name, value);
        }
        if let Some(chunk) = call {
            let (counted, key) = (ObjectLimit::ToolCalls, Part::function_call);
            let of = cx.open(FunctionCall::KIND, node, key, counted, self.owner)?;
            self.call = Some(FoldedCall::new(node, of, chunk, self.owner, cx));
        }
        Some(node)
    }

    fn end_text(&mut self, cx: &mut Context<'_>) {
        if let Some((cell, _)) = self.text.take() {
            cx.end_text(cell);
        }
    }

    /// Ends the open function call; `is_early` if its last piece was not received.
    fn end_call(&mut self, is_early: bool, cx: &mut Context<'_>) {
        if let Some(call) = self.call.take() {
            if is_early {
                cx.record_in(&rules::CALL_NOT_ENDED, self.owner, None, Observed::Name(&call.name));
            }
            call.end(cx);
        }
    }

    /// Ends the candidate with the stream. A call is cut off with a candidate that has not
    /// finished.
    pub fn end(&mut self, aborted: bool, cx: &mut Context<'_>) {
        self.end_text(cx);
        if self.finish.is_some() {
            self.end_call(!aborted, cx);
        }
    }

    /// Reports the missing finish reason. (G3.)
    pub fn judge(&self, cx: &mut Context<'_>) {
        if self.finish.is_none() {
            let id = cx.id(self.owner).into();
            cx.unfinished(id);
            let got = Observed::Words("no finish reason");
            cx.record_at(&rules::TRUNCATED, self.opened, self.owner, got);
        }
    }
}

/// An object whose lists grow by chunks. (G9.)
#[derive(Clone, Debug)]
struct ChunkedLists {
    key: Field,
    names: [&'static str; 2],
    /// The elements so far, for lists of which chunks repeat elements.
    elements: Option<StringMap<()>>,
    begun: Option<[bool; 2]>,
}

impl ChunkedLists {
    fn of(key: Field, names: [&'static str; 2], repeats: bool) -> Self {
        let elements = repeats.then(StringMap::default);
        ChunkedLists { key, names, elements, begun: None }
    }

    /// Adds the lists of a chunk.
    fn add(&mut self, node: ObjectId, value: Option<Element<'_, '_>>, cx: &mut Context<'_>) {
        let Some(value) = value.filter(|value| value.object().is_ok()) else { return };
        let lists = self.names.map(|name| value.member(name).filter(|list| list.array().is_ok()));
        if self.begun.is_none() && cx.set(node, self.key, FieldValue::Free(value)) {
            self.begun = Some(lists.map(|list| list.is_some()));
            lists.into_iter().flatten().for_each(|list| _ = self.new_elements(list));
            return;
        }
        for at in [0, 1] {
            let (Some(list), name) = (lists[at], self.names[at]) else { continue };
            let Some(new) = self.new_elements(list) else { continue };
            let Some(begun) = &mut self.begun else { return };
            if core::mem::replace(&mut begun[at], true) {
                cx.extend_in(node, self.key, &[name], Raw(&new));
            } else {
                cx.set_in(node, self.key, &[name], FieldValue::Json(Raw(&new)));
            }
        }
        for (name, member) in
            value.members().filter(|(name, _)| !self.names.iter().any(|list| name == list))
        {
            cx.set_in(node, self.key, &[&*name.to_str()], FieldValue::Free(member));
        }
    }

    /// Returns the list of the elements that are new; `None` if it is empty.
    fn new_elements(&mut self, list: Element<'_, '_>) -> Option<String> {
        let mut new = String::new();
        for element in list.items() {
            let json = element.raw().as_str();
            if let Some(elements) = &mut self.elements {
                if elements.get(json).is_some() {
                    continue;
                }
                elements.insert(json, ());
            }
            new.push(if new.is_empty() { '[' } else { ',' });
            new.push_str(json);
        }
        (!new.is_empty()).then(|| new + "]")
    }
}
