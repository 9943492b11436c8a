//! Protocols, as they are given to a reader, and the macro that declares them with their options.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Declaration, Declared, Engine, Meaning};
use crate::core::changes::Located;
use crate::core::options::{OptionShape, OptionValue, OptionValues, ReadOptions};
use crate::core::sink::Sink;
use crate::json::JsonText;

/// A protocol that can be read: a value with its options, and the types of its state and its answer.
///
/// A protocol outside this crate that implements this trait is read with [`Reader`](crate::Reader): chunks, limits, replayed
/// deltas and reports are the same.
pub trait Protocol: Sized {
    /// The native answer.
    type Snapshot: Sink + Located + Default + core::fmt::Debug;

    /// The parts that are the same for every stream.
    const DECLARATION: &'static Declaration;

    /// The options, by name.
    const OPTIONS: &'static [OptionShape] = &[];

    /// The name for people.
    const TITLE: &'static str;

    /// The place of the answer, and of its tool calls, in the root object.
    const LAYOUT: AnswerLayout = AnswerLayout::ROOT;

    /// Returns the state at the start of a stream.
    fn meaning(self, options: &ReadOptions) -> Box<dyn Meaning>;

    /// Returns an engine at the start of a stream, whose first objects are in the sink.
    fn engine(self, options: &ReadOptions, sink: &mut dyn Sink) -> Engine {
        Engine::new(Self::DECLARATION, self.meaning(options), options, sink)
    }

    /// Sets the option at that place of [`OPTIONS`](Self::OPTIONS).
    fn set_option(&mut self, _place: usize, _value: OptionValue) {}
}

/// A protocol of this crate, which `protocol!` declares.
pub(crate) trait Registered: Protocol {
    /// Its events.
    type Meaning: Declared;
}

/// The place of the answer in the root object of a sink.
#[derive(Clone, Copy, Debug)]
pub struct AnswerLayout {
    /// The property that is the answer; without one the root is.
    pub snapshot: Option<&'static str>,
    /// The list of the tool calls, and if the list has other objects, too, the `type` of a call.
    pub tool_calls: Option<(&'static str, Option<&'static str>)>,
    /// The property with the calls of each object of that list, if the objects are not the calls themselves.
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

/// Declares a protocol: its type, whose fields are its options, its name for people, the type of its state and its answer.
///
/// ```text
/// protocol! {
///     /// A chat.
///     Chat "Chat": ChatMeaning => Snapshot {
///         /// Whether the end may be missing.
///         end_is_optional as "endIsOptional": bool,
///         /// The version of the request.
///         version as "version": Option<Version> { "1" => Some(Version::One), "2" => Some(Version::Two) },
///     }
///     begins |choices, options| ChatMeaning::new(choices, options);
///     impl {
///         const LAYOUT: AnswerLayout = AnswerLayout::calls_in("calls");
///     }
/// }
/// ```
///
/// The documentation of a field is that of the option in JavaScript, too. `begins` returns the state for the options of the
/// protocol and the [`ReadOptions`](crate::core::options::ReadOptions); without it the state is the default one.
macro_rules! protocol {
    (
        $(#[doc = $doc:literal])*
        $Protocol:ident $title:literal: $Meaning:ident => $Snapshot:ty { $($declared:tt)* }
        $(begins |$choices:pat_param, $options:pat_param| $meaning:expr;)?
        $(impl { $($items:tt)+ })?
    ) => {
        $crate::engine::protocol::protocol! {
            @type [$(#[doc = $doc])*] $Protocol $title $Meaning $Snapshot
            [
                $($($items)+)?
                #[allow(unused_variables)]
                fn meaning(
                    self,
                    options: &$crate::core::options::ReadOptions,
                ) -> alloc::boxed::Box<dyn $crate::engine::Meaning> {
                    $(let ($choices, $options) = (self, options);)?
                    alloc::boxed::Box::new($crate::engine::protocol::protocol!(@begin $Meaning $($meaning)?))
                }
            ]
            $($declared)*
        }
    };
    (
        @type [$(#[doc = $doc:literal])*] $Protocol:ident $title:literal $Meaning:ident $Snapshot:ty
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
            type Meaning = $Meaning;
        }

        impl $crate::engine::Protocol for $Protocol {
            type Snapshot = $Snapshot;

            const DECLARATION: &'static $crate::engine::Declaration = &$crate::engine::Declaration::of::<$Meaning>();

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
    (@begin $Meaning:ident) => { $Meaning::default() };
    (@begin $Meaning:ident $meaning:expr) => { $meaning };
    (@values $Type:ty) => { <$Type as $crate::engine::protocol::Choice>::VALUES };
    (@values $Type:ty { $($word:literal),+ }) => { $crate::core::options::OptionValues::Words(&[$($word),+]) };
    (@set $option:expr, $given:ident) => { $crate::engine::protocol::Choice::choose(&mut $option, $given) };
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
pub(crate) trait Choice {
    /// The kind of its values.
    const VALUES: OptionValues;

    /// Sets the option.
    fn choose(&mut self, value: OptionValue);
}

impl Choice for bool {
    const VALUES: OptionValues = OptionValues::Flag;

    fn choose(&mut self, value: OptionValue) {
        if let OptionValue::Number(number) = value {
            *self = number == 1;
        }
    }
}

impl Choice for Option<Vec<String>> {
    const VALUES: OptionValues = OptionValues::Names;

    fn choose(&mut self, value: OptionValue) {
        if let OptionValue::Names(names) = value {
            *self = Some(names);
        }
    }
}

impl Choice for Option<JsonText> {
    const VALUES: OptionValues = OptionValues::Json;

    fn choose(&mut self, value: OptionValue) {
        if let OptionValue::Json(json) = value {
            *self = Some(json);
        }
    }
}
