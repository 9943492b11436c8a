//! Protocols, as they are given to a reader, and the macro that declares them with their options.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use super::{Context, Engine, RefusedChange};
use crate::core::changes::Located;
use crate::core::declare::events::table::{EventReading, EventTable};
use crate::core::declare::rules::CommonRules;
use crate::core::detect::Opening;
use crate::core::error::{DecodeError, UsageError};
use crate::core::failure::ErrorMessage;
use crate::core::options::{OptionShape, OptionValue, OptionValues, ReadOptions};
use crate::core::sink::Sink;
use crate::core::violation::Rule;
use crate::json::{Document, Element, JsonText, Skip, Str};
use crate::sse;

#[cfg(feature = "binary")]
use crate::core::binary::Binary;

/// A protocol that can be read: a value with its options, and the types of its state and its
/// answer.
///
/// A protocol outside this crate that implements this trait is read with [`Reader`](crate::Reader):
/// chunks, limits, replayed deltas and reports are the same.
pub trait Protocol: Sized {
    /// The native answer.
    type Snapshot: Sink + Located + Default + fmt::Debug;

    /// The parts that are the same for every stream.
    const DECLARATION: &'static Declaration;

    /// The options, by name.
    const OPTIONS: &'static [OptionShape] = &[];

    /// The name for people.
    const TITLE: &'static str;

    /// The place of the answer, and of its tool calls, in the root object.
    const LAYOUT: AnswerLayout = AnswerLayout::ROOT;

    /// Returns the state at the start of a stream.
    fn fold(self, options: &ReadOptions) -> Box<dyn Fold>;

    /// Returns an engine at the start of a stream, whose first objects are in the sink.
    fn engine(self, options: &ReadOptions, sink: &mut dyn Sink) -> Engine {
        Engine::new(Self::DECLARATION, self.fold(options), options, sink)
    }

    /// Checks that the options can be taken as a whole: a limit may be too low for the JSON in one
    /// of them. A reader with options that are not taken refuses the stream: it reads nothing, and
    /// its snapshot has nothing of the options.
    ///
    /// # Errors
    ///
    /// `limit-exceeded`, with the names of the option and of the limit; `too-deep`; `wrong-option`
    /// for JSON of another type.
    fn check(&self, _options: &ReadOptions) -> Result<(), UsageError> {
        Ok(())
    }

    /// Sets the option at that place of [`OPTIONS`](Self::OPTIONS).
    fn set_option(&mut self, _place: usize, _value: OptionValue) {}
}

/// A protocol of this crate, which `protocol!` declares.
pub(crate) trait Registered: Protocol {
    /// Its events.
    type Fold: Declared;
}

/// The place of the answer in the root object of a sink.
#[derive(Clone, Copy, Debug)]
pub struct AnswerLayout {
    /// The property that is the answer; without one the root is.
    pub snapshot: Option<&'static str>,
    /// The list of the tool calls, and if the list has other objects, too, the `type` of a call.
    pub tool_calls: Option<(&'static str, Option<&'static str>)>,
    /// The property with the calls of each object of that list, if the objects are not the calls
    /// themselves.
    pub calls_inside: Option<&'static str>,
}

impl AnswerLayout {
    /// The root is the answer, and no list of it has tool calls.
    pub(crate) const ROOT: AnswerLayout =
        AnswerLayout { snapshot: None, tool_calls: None, calls_inside: None };

    /// The root is the answer, and this list of it has the tool calls.
    pub(crate) const fn calls_in(list: &'static str) -> AnswerLayout {
        AnswerLayout { tool_calls: Some((list, None)), ..Self::ROOT }
    }

    /// The same where only objects of this type are calls.
    pub(crate) const fn calls_among(list: &'static str, r#type: &'static str) -> AnswerLayout {
        AnswerLayout { tool_calls: Some((list, Some(r#type))), ..Self::ROOT }
    }
}

/// Declares a protocol: its type, whose fields are its options, its name for people, the type of
/// its state and its answer.
///
/// ```text
/// protocol! {
///     /// A chat.
///     Chat "Chat": ChatFold => Snapshot {
///         /// Whether the end may be missing.
///         end_is_optional as "endIsOptional": bool,
///         /// The version of the request.
///         version as "version": Option<Version> { "1" => Some(Version::One), "2" => Some(Version::Two) },
///     }
///     begins |choices, options| ChatFold::new(choices, options);
///     impl {
///         const LAYOUT: AnswerLayout = AnswerLayout::calls_in("calls");
///     }
/// }
/// ```
///
/// The documentation of a field is that of the option in JavaScript, too. `begins` returns the
/// state for the options of the protocol and the
/// [`ReadOptions`](crate::core::options::ReadOptions); without it the state is the default one.
macro_rules! protocol {
    (
        $(#[doc = $doc:literal])*
        $Protocol:ident $title:literal: $Fold:ident => $Snapshot:ty { $($declared:tt)* }
        $(begins |$choices:pat_param, $options:pat_param| $fold:expr;)?
        $(impl { $($items:tt)+ })?
    ) => {
        $crate::engine::protocol::protocol! {
            @type [$(#[doc = $doc])*] $Protocol $title $Fold $Snapshot
            [
                $($($items)+)?
                #[allow(unused_variables)]
                fn fold(
                    self,
                    options: &$crate::core::options::ReadOptions,
                ) -> alloc::boxed::Box<dyn $crate::engine::Fold> {
                    $(let ($choices, $options) = (self, options);)?
                    alloc::boxed::Box::new($crate::engine::protocol::protocol!(@begin $Fold $($fold)?))
                }
            ]
            $($declared)*
        }
    };
    (
        @type [$(#[doc = $doc:literal])*] $Protocol:ident $title:literal $Fold:ident $Snapshot:ty
        [$($items:tt)+]
        $(
            $(#[doc = $option_doc:literal])*
            $option:ident as $name:literal: $Type:ty $({ $($word:literal => $value:expr),+ })?
        ),* $(,)?
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default)]
        #[non_exhaustive]
        pub struct $Protocol {
            $($(#[doc = $option_doc])* pub $option: $Type,)*
        }

        impl $crate::engine::Registered for $Protocol {
            type Fold = $Fold;
        }

        impl $crate::engine::Protocol for $Protocol {
            type Snapshot = $Snapshot;

            const DECLARATION: &'static $crate::engine::Declaration = &$crate::engine::Declaration::of::<$Fold>();

            const TITLE: &'static str = $title;

            const OPTIONS: &'static [$crate::core::options::OptionShape] = $crate::core::options::options! {
                $(
                    $(#[doc = $option_doc])*
                    $name: $crate::engine::protocol::protocol!(@values $Type $({ $($word),+ })?);
                )*
            };

            #[allow(unused_variables, unused_mut, unused_assignments)]
            fn set_option(&mut self, place: usize, value: $crate::core::options::OptionValue) {
                let mut at = 0;
                $(
                    if place == at {
                        return $crate::engine::protocol::protocol!(@set self.$option, value $({ $($value),+ })?);
                    }
                    at += 1;
                )*
            }

            $($items)+
        }
    };
    (@begin $Fold:ident) => { $Fold::default() };
    (@begin $Fold:ident $fold:expr) => { $fold };
    (@values $Type:ty) => { <$Type as $crate::engine::protocol::OptionType>::VALUES };
    (@values $Type:ty { $($word:literal),+ }) => { $crate::core::options::OptionValues::Words(&[$($word),+]) };
    (@set $option:expr, $given:ident) => { $crate::engine::protocol::OptionType::choose(&mut $option, $given) };
    (@set $option:expr, $given:ident { $($value:expr),+ }) => {
        if let $crate::core::options::OptionValue::Number(word) = $given
            && let Some(value) = [$($value),+].into_iter().nth(word as usize)
        {
            $option = value;
        }
    };
}

pub(crate) use protocol;

/// The type of an option that is not a word. A value of another kind does not change it.
pub(crate) trait OptionType {
    /// The kind of its values.
    const VALUES: OptionValues;

    /// Sets the option.
    fn choose(&mut self, value: OptionValue);
}

impl OptionType for bool {
    const VALUES: OptionValues = OptionValues::Flag;

    fn choose(&mut self, value: OptionValue) {
        if let OptionValue::Number(number) = value {
            *self = number == 1;
        }
    }
}

impl OptionType for Option<Vec<String>> {
    const VALUES: OptionValues = OptionValues::Names;

    fn choose(&mut self, value: OptionValue) {
        if let OptionValue::Names(names) = value {
            *self = Some(names);
        }
    }
}

impl OptionType for Option<JsonText> {
    const VALUES: OptionValues = OptionValues::Json;

    fn choose(&mut self, value: OptionValue) {
        if let OptionValue::Json(json) = value {
            *self = Some(json);
        }
    }
}

// The interface between the engine and a protocol.

/// The state of one stream of a protocol, and the effects of its events on the answer.
///
/// The engine counts events, enforces limits, writes the report and replays deltas: an event that
/// only appends a piece to a text may be replayed, and the next event that differs only in that
/// piece is not read. So the effect of an event must not depend on the piece in any other way, and
/// the same event once more must have the same effect.
pub trait Fold: Any + Send + Sync + CopyFold {
    /// Opens the objects that the answer has before the first event.
    fn start(&mut self, _cx: &mut Context<'_>) {}

    /// Looks at an event before its data are parsed. Returns false if they are not to be parsed.
    fn before(&mut self, _event: &sse::SseEvent<'_>, _cx: &mut Context<'_>) -> bool {
        true
    }

    /// Applies an event whose properties are those that its type declares.
    fn event(&mut self, _event: &EventReading<'_, '_>, _cx: &mut Context<'_>) {}

    /// Returns whether the answer is whole although its stream may go on: then text after it is not
    /// an error.
    #[doc(hidden)]
    fn is_whole(&self) -> bool {
        false
    }

    /// Handles the end of the stream: its last byte, or (`aborted`) the reader stopped it.
    fn finish(&mut self, _aborted: bool, _cx: &mut Context<'_>) {}

    /// Returns whether nothing can change the answer any more.
    fn has_ended(&self) -> bool;

    /// Is called for a violation of the framing, below the events.
    fn framing(&mut self, _rule: &'static Rule) {}

    /// Is called when a limit has refused a part of the answer. Returns the index of the content
    /// concerned.
    fn refused(&mut self, _refusal: &RefusedChange) -> Option<u32> {
        None
    }

    /// Adds the parts of the data of an event that need not be parsed, because they repeat known
    /// values.
    #[doc(hidden)]
    fn find_known(&self, _data: &str, _skips: &mut Vec<Skip>) {}

    /// Returns whether the skipped parts are where they were expected. Otherwise the event is
    /// parsed again as a whole.
    #[doc(hidden)]
    fn is_known(&self, _event: &EventReading<'_, '_>, _cx: &Context<'_>) -> bool {
        true
    }

    /// Returns whether an undeclared member of a declared event is in the answer, or means nothing.
    /// Others are lost.
    #[doc(hidden)]
    fn keeps_undeclared(&self, _event: &EventReading<'_, '_>, _name: &str) -> bool {
        false
    }

    /// Appends a text where the last event [did](Context::appends).
    #[doc(hidden)]
    fn append_again(&mut self, _text: Str<'_>, _cx: &mut Context<'_>) {}

    /// Returns whether half a character waits there for its other half.
    #[doc(hidden)]
    fn is_waiting(&mut self) -> bool {
        false
    }

    /// Is called where the stream breaks off before its end, for protocols whose streams have no
    /// other end than their last byte.
    #[doc(hidden)]
    fn cut_off(&mut self) {}
}

/// Copies the state of a stream. Every state that is `Clone` has it. Only writers need the copy:
/// without `hub`, modules that read do not contain it.
pub trait CopyFold {
    /// Returns the copy.
    #[cfg(feature = "hub")]
    fn copy(&self) -> Box<dyn Fold>;
}

impl<F: Fold + Clone> CopyFold for F {
    #[cfg(feature = "hub")]
    fn copy(&self) -> Box<dyn Fold> {
        Box::new(self.clone())
    }
}

#[cfg(feature = "hub")]
impl Clone for Box<dyn Fold> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}

// Not a supertrait: it would link the formatting code into every module.
impl fmt::Debug for dyn Fold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fold")
    }
}

/// An event of the protocol in place of something that is not one: an error in another form, or a
/// part of a whole answer.
#[derive(Clone, Debug)]
pub struct Translated {
    /// Its name, if the events of the protocol have names.
    pub(crate) name: &'static str,
    pub(crate) data: String,
}

impl Translated {
    /// Creates an event without a name.
    pub(crate) fn new(data: String) -> Self {
        Translated { name: "message", data }
    }

    /// Returns it as an event at this offset of the stream.
    pub(crate) fn at(&self, offset: u64) -> sse::SseEvent<'_> {
        let (last_event_id, has_id, replaced, frame, unterminated) =
            ("", false, false, None, false);
        let Translated { name, data } = self;
        sse::SseEvent { name, data, last_event_id, has_id, offset, replaced, frame, unterminated }
    }
}

/// The parts of a protocol that are the same for every stream.
pub(crate) trait Declared: Fold {
    /// The events.
    const EVENTS: &'static EventTable;

    /// The rules that all protocols have.
    const RULES: CommonRules;

    /// The messages of binary streams, if the protocol has such streams.
    #[cfg(feature = "binary")]
    const BINARY: Option<&'static Binary> = None;

    /// Whether the meaning of null depends on the property, and the protocol looks at each by
    /// itself.
    const JUDGES_NULL: bool = false;

    /// Whether server-sent events have the type of the event as their name.
    const NAMES_EVENTS: bool = false;

    /// The data of the last event, for protocols that end with a marker.
    const END: Option<&'static str> = None;

    /// Returns whether a stream with this first event is one of this protocol. By default it is one
    /// if the type is known.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        Self::EVENTS.contains_event(opening)
    }

    /// Returns whether the protocol itself judges a stream with this first event.
    fn judges(opening: &Opening<'_, '_>) -> bool {
        Self::opens(opening)
    }

    /// Returns whether an event is one of the protocol: by default, whether its type is declared.
    /// Any other one may be a whole answer or an error in another form.
    fn is_own(reading: &EventReading<'_, '_>) -> bool {
        reading.row.is_some()
    }

    /// Returns the events of an answer that was sent whole.
    fn whole_answer(_json: Element<'_, '_>) -> Option<Vec<Translated>> {
        None
    }

    /// Returns the rule of a member of an event of that type if the member is text with JSON, such
    /// as the arguments of a call: some servers send the JSON itself.
    fn json_text(_event: &str, _member: &str) -> Option<&'static Rule> {
        None
    }

    /// Returns an error as an event of the protocol.
    fn error_event(failure: &ErrorMessage) -> Translated;

    /// Checks one event by itself.
    fn check(document: &Document<'_>) -> Result<(), DecodeError> {
        Self::read(document.root()).map(drop)
    }

    /// Reads an event.
    fn read<'d, 'a>(json: Element<'d, 'a>) -> Result<EventReading<'d, 'a>, DecodeError> {
        Self::EVENTS.read(json)
    }
}

/// The table of the parts of a protocol that are the same for every stream.
#[derive(Debug)]
pub struct Declaration {
    pub(super) rules: CommonRules,
    #[cfg(feature = "binary")]
    pub(crate) binary: Option<&'static Binary>,
    pub(super) judges_null: bool,
    pub(crate) names_events: bool,
    pub(crate) end: Option<&'static str>,
    pub(super) judges: fn(&Opening<'_, '_>) -> bool,
    pub(super) is_own: fn(&EventReading<'_, '_>) -> bool,
    pub(super) whole_answer: fn(Element<'_, '_>) -> Option<Vec<Translated>>,
    pub(super) json_text: fn(&str, &str) -> Option<&'static Rule>,
    pub(super) error_event: Option<fn(&ErrorMessage) -> Translated>,
    pub(super) read: for<'d, 'a> fn(Element<'d, 'a>) -> Result<EventReading<'d, 'a>, DecodeError>,
}

impl Declaration {
    /// Returns the rule of events that cannot be read.
    pub(crate) const fn malformed_event(&self) -> &'static Rule {
        self.rules.malformed_event
    }

    /// Returns the table of a protocol.
    pub(crate) const fn of<M: Declared>() -> Self {
        Declaration {
            rules: M::RULES,
            #[cfg(feature = "binary")]
            binary: M::BINARY,
            judges_null: M::JUDGES_NULL,
            names_events: M::NAMES_EVENTS,
            end: M::END,
            judges: M::judges,
            is_own: M::is_own,
            whole_answer: M::whole_answer,
            json_text: M::json_text,
            error_event: Some(M::error_event),
            read: M::read,
        }
    }

    /// Returns the table of a protocol that reads its events itself, in [`Fold::before`].
    /// `malformed` is the rule of events that cannot be read.
    pub const fn untyped(malformed: &'static Rule) -> Self {
        Declaration {
            rules: CommonRules::of(malformed),
            #[cfg(feature = "binary")]
            binary: None,
            judges_null: false,
            names_events: false,
            end: None,
            judges: |_| true,
            is_own: |_| true,
            whole_answer: |_| None,
            json_text: |_, _| None,
            error_event: None,
            read: |json| Ok(EventReading::new(json, "")),
        }
    }
}
