//! The choices that a protocol leaves to a reader, declared.

use alloc::string::String;
use alloc::vec::Vec;

use crate::core::options::{OptionValue, OptionValues};
use crate::json::JsonText;

/// Declares a protocol as it is given to a reader: its type, whose members are its options, its name for people, the
/// semantics of its events, what the state machine of those is called, and the answer. Where it stands, `EVENTS` are the
/// protocol's events and `rules` its rules.
///
/// ```text
/// protocol! {
///     /// A chat.
///     Chat "Chat": ChatSemantics => Snapshot {
///         /// Say nothing about a missing end.
///         end_is_optional as "endIsOptional": bool,
///         /// Which version was asked for.
///         version as "version": Option<Version> { "1" => Some(Version::One), "2" => Some(Version::Two) },
///     }
///     begins |choices, options| ChatSemantics::new(choices, options);
///     impl {
///         const LAYOUT: AnswerLayout = AnswerLayout::calls_in("calls");
///     }
/// }
/// ```
///
/// A member's documentation is that of the option in JavaScript, too. `begins` makes the semantics of the chosen options and
/// of [`ReadOptions`](crate::core::options::ReadOptions); without it they are the default ones. Where the answer has objects from
/// the beginning, `fold` of [`Protocol`](crate::core::fold::Protocol) stands after `impl` in its place.
macro_rules! protocol {
    (
        $(#[doc = $doc:literal])*
        $Protocol:ident $title:literal: $Semantics:ident => $Snapshot:ty { $($declared:tt)* }
        begins |$choices:pat_param, $options:pat_param| $semantics:expr;
        $(impl { $($items:tt)+ })?
    ) => {
        $crate::core::fold::protocol::protocol! {
            @type [$(#[doc = $doc])*] $Protocol $title $Semantics $Snapshot
            [
                $($($items)+)?
                $crate::core::fold::protocol::protocol!(@fold $choices, $options, $semantics);
            ]
            $($declared)*
        }
    };
    (
        $(#[doc = $doc:literal])*
        $Protocol:ident $title:literal: $Semantics:ident => $Snapshot:ty { $($declared:tt)* }
        impl { $($items:tt)+ }
    ) => {
        $crate::core::fold::protocol::protocol! {
            @type [$(#[doc = $doc])*] $Protocol $title $Semantics $Snapshot [$($items)+] $($declared)*
        }
    };
    (
        $(#[doc = $doc:literal])*
        $Protocol:ident $title:literal: $Semantics:ident => $Snapshot:ty { $($declared:tt)* }
    ) => {
        $crate::core::fold::protocol::protocol! {
            $(#[doc = $doc])*
            $Protocol $title: $Semantics => $Snapshot { $($declared)* }
            begins |_, _| Default::default();
        }
    };
    (
        @type [$(#[doc = $doc:literal])*] $Protocol:ident $title:literal $Semantics:ident $Snapshot:ty
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

        impl $crate::core::fold::Declared for $Semantics {
            const EVENTS: &'static $crate::core::declare::events::table::EventTable = &EVENTS;
            const RULES: $crate::core::declare::rules::CommonRules = rules::COMMON;
        }

        impl $crate::core::fold::Registered for $Protocol {
            type Semantics = $Semantics;
        }

        impl $crate::core::fold::Protocol for $Protocol {
            type Fold = $crate::core::fold::Limited<$crate::core::fold::Folding<$Semantics>>;
            type Snapshot = $Snapshot;

            const TITLE: &'static str = $title;

            const OPTIONS: &'static [$crate::core::options::OptionShape] = $crate::core::options::options! {
                $(
                    $(#[doc = $option_doc])*
                    $name: $crate::core::fold::protocol::protocol!(@values $Type $({ $($word),+ })?);
                )*
            };

            #[allow(unused_variables, unused_mut, unused_assignments)]
            fn set_option(&mut self, place: usize, value: $crate::core::options::OptionValue) {
                let mut at = 0;
                $(
                    if place == at {
                        return $crate::core::fold::protocol::protocol!(@set self.$option, value $({ $($value),+ })?);
                    }
                    at += 1;
                )*
            }

            $($items)+
        }
    };
    (@fold $choices:pat_param, $options:pat_param, $semantics:expr) => {
        fn fold(
            self,
            options: &$crate::core::options::ReadOptions,
            sink: &mut dyn $crate::core::fold::Sink,
        ) -> Self::Fold {
            let ($choices, $options) = (self, options);
            $crate::core::fold::Limited::new(&options.limits, sink, |_| {
                $crate::core::fold::Folding::new($semantics, options)
            })
        }
    };
    (@values $Type:ty) => { <$Type as $crate::core::fold::protocol::Choice>::VALUES };
    (@values $Type:ty { $($word:literal),+ }) => { $crate::core::options::OptionValues::Words(&[$($word),+]) };
    (@set $option:expr, $given:ident) => { $crate::core::fold::protocol::Choice::choose(&mut $option, $given) };
    (@set $option:expr, $given:ident { $($value:expr),+ }) => {
        if let $crate::core::options::OptionValue::Number(word) = $given
            && let Some(value) = [$($value),+].into_iter().nth(word as usize)
        {
            $option = value;
        }
    };
}
pub(crate) use protocol;

/// What an option that is no word can be set to. What is of another kind leaves it as it is.
pub(crate) trait Choice {
    /// The kind.
    const VALUES: OptionValues;

    /// Sets it.
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
