//! The meaning of the events of a stream. Reading continues where the official client throws; the input that it refuses
//! is a violation.

use alloc::{boxed::Box, vec::Vec};

mod annotations;
mod dispatch;
mod held;
mod items;
mod parts;
mod response;
mod tools;

use self::held::Held;
use self::items::Item;
use super::events::{EVENTS, EventKind};
use super::model::Snapshot;
use super::rules;
use crate::bytes::string_map::{Numbers, StringMap};
use crate::core::declare::events::form::{Form, Message, Nullable};
use crate::core::{Observed, Opening, ReadOptions, Reading, detect};
use crate::engine::{
    AnswerLayout, CommonRules, Context, Declared, EventTable, Keys, Meaning, Node, protocol,
};
use crate::json::{Element, Str};
use crate::sse;

protocol! {
    /// The OpenAI Responses protocol.
    Responses "OpenAI Responses": ResponsesMeaning => Snapshot {}
    begins |_, options| ResponsesMeaning::new(options);
    impl {
        const LAYOUT: AnswerLayout = AnswerLayout::calls_among("output", "function_call");
    }
}

/// The object of the answer.
const ROOT: Node = 0;

/// The progress of the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// The response has not begun.
    #[default]
    Before,
    /// The response is in progress.
    Open,
    /// The response has ended.
    Ended,
    /// An error was received.
    Failed,
}

/// The meaning of the events of OpenAI Responses.
#[derive(Debug)]
pub struct ResponsesMeaning {
    keys: Keys,
    phase: Phase,
    /// `[DONE]` was received.
    over: bool,
    /// An event without a number was reported.
    unnumbered: bool,
    /// The name of the current SSE event is `error`.
    is_error: bool,
    root: Held,
    id: Option<Box<str>>,
    /// A whole response was received.
    has_snapshot: bool,
    items: Vec<Item>,
    /// The items of the output, in order.
    order: Vec<usize>,
    /// The items by their `output_index`, id, and type and call.
    wires: Numbers<usize>,
    ids: StringMap<usize>,
    calls: StringMap<usize>,
    /// The number of lists of items that were received.
    lists: u64,
}

impl Declared for ResponsesMeaning {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;

    /// The types of the events begin with `response.`. A keepalive event may come first, or an error with a message.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        opening.word("type").is_some_and(|name| {
            let is_error = name == "error" && opening.has("message");
            is_error || name == "keepalive" || name.to_str().starts_with("response.")
        })
    }
}

impl Meaning for ResponsesMeaning {
    fn before(&mut self, event: &sse::SseEvent<'_>, cx: &mut Context<'_>) -> bool {
        if self.over {
            cx.breach(&rules::AFTER_DONE, Observed::Text(event.data));
            return false;
        }
        self.is_error = event.name == "error";
        self.over = detect::is_done(event.data);
        !self.over
    }

    fn event(&mut self, event: &Reading<'_, '_>, cx: &mut Context<'_>) {
        let unknown = || event.json.member("sequence_number").filter(|_| event.row.is_none());
        match event.get(0).or_else(unknown) {
            number @ Some(_) => cx.number(number),
            None if event.row.is_some() && !core::mem::replace(&mut self.unnumbered, true) => {
                cx.breach(&rules::SEQUENCE_NUMBER, Observed::Words("no number"));
            }
            None => {}
        }
        let kind = EventKind::of(event);
        match self.phase {
            Phase::Failed => return cx.breach(&rules::AFTER_ERROR, Observed::Words("an event")),
            Phase::Ended => cx.breach(&rules::AFTER_END, Observed::Words("an event")),
            Phase::Before if !matches!(kind, None | Some(EventKind::Created | EventKind::Error)) => {
                self.phase = Phase::Open;
                let name = event.name.map(Str::to_str).unwrap_or_default();
                cx.breach(&rules::NOT_CREATED, Observed::Name(&name));
            }
            _ => {}
        }
        let error = event.row.is_none() || event.has_undeclared();
        let error = event.json.member("error").filter(|value| error && is_truthy(*value));
        match kind {
            Some(EventKind::Error) => {
                let said =
                    ["code", "message", "param"].map(|name| <Nullable<Message>>::take(event.named(name)));
                self.error(event.named("error"), said, cx);
            }
            // An event with a member `error` is an error, even if it has another type. (O14)
            _ if error.is_some() || self.is_error && event.row.is_none() => {
                if event.name.is_none() {
                    cx.breach(&rules::UNTYPED_ERROR, Observed::Text(event.json.raw().as_str()));
                }
                let text = |name| event.json.member(name).map(Element::words);
                self.error(error, [text("code"), text("message"), text("param")], cx);
            }
            None => {
                let name = event.name.map(Str::to_str).unwrap_or_default();
                cx.unknown(&name);
                cx.breach(&rules::UNKNOWN_TYPE, Observed::Name(&name));
            }
            Some(kind) => {
                if self.phase == Phase::Before {
                    self.phase = Phase::Open;
                }
                self.dispatch(kind, event, event.name.map(Str::to_str).unwrap_or_default().as_ref(), cx);
            }
        }
    }

    fn finish(&mut self, aborted: bool, cx: &mut Context<'_>) {
        self.stop(aborted, cx);
    }

    fn has_ended(&self) -> bool {
        self.over && self.phase != Phase::Ended || self.phase == Phase::Failed
    }
}

impl ResponsesMeaning {
    fn new(options: &ReadOptions) -> Self {
        ResponsesMeaning {
            keys: Keys::new(options.seed),
            phase: Phase::Before,
            over: false,
            unnumbered: false,
            is_error: false,
            root: Held::new(ROOT, Snapshot::KIND.0, None),
            id: None,
            has_snapshot: false,
            items: Vec::new(),
            order: Vec::new(),
            wires: Numbers::default(),
            ids: StringMap::default(),
            calls: StringMap::default(),
            lists: 0,
        }
    }
}

/// Returns whether the value is truthy in JavaScript.
fn is_truthy(value: Element<'_, '_>) -> bool {
    !matches!(value.raw().as_str(), "null" | "false" | "0" | "\"\"")
}
