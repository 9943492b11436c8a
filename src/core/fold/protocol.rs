//! The choices that a protocol leaves to a reader, declared.

use alloc::string::String;
use alloc::vec::Vec;

use crate::core::options::{OptionValue, OptionValues};
use crate::json::JsonText;

/// Declares a protocol as it is given to a reader: its type, whose members are its options, its name for people, and what
/// folds it into which answer. What else [`Protocol`](crate::core::fold::Protocol) wants stands after `impl`; without options
/// and without that, what folds it begins as its default.
///
/// ```text
/// protocol! {
///     /// A chat.
///     Chat "Chat", Folding<ChatSemantics> => Snapshot {
///         /// Say nothing about a missing end.
///         end_is_optional as "endIsOptional": bool,
///         /// Which version was asked for.
///         version as "version": Option<Version> { "1" => Some(Version::One), "2" => Some(Version::Two) },
///     }
///     impl {
///         fn fold(self, options: &ReadOptions, sink: &mut dyn Sink) -> Self::Fold { … }
///     }
/// }
/// ```
///
/// A member's documentation is that of the option in JavaScript, too.
macro_rules! protocol {
    (
        $(#[doc = $doc:literal])*
        $Protocol:ident $title:literal, $Fold:ty => $Snapshot:ty {$(
            $(#[doc = $option_doc:literal])*
            $option:ident as $name:literal: $Type:ty $({ $($word:literal => $value:expr),+ })?
        ),* $(,)?}
        impl { $($items:item)+ }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default)]
        #[non_exhaustive]
        pub struct $Protocol {
            $($(#[doc = $option_doc])* pub $option: $Type,)*
        }

        impl $crate::core::fold::Protocol for $Protocol {
            type Fold = $crate::core::fold::Limited<$Fold>;
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
    (
        $(#[doc = $doc:literal])*
        $Protocol:ident $title:literal, $Fold:ty => $Snapshot:ty {}
    ) => {
        $crate::core::fold::protocol::protocol! {
            $(#[doc = $doc])*
            $Protocol $title, $Fold => $Snapshot {}
            impl {
                fn fold(
                    self,
                    options: &$crate::core::options::ReadOptions,
                    sink: &mut dyn $crate::core::fold::Sink,
                ) -> Self::Fold {
                    $crate::core::fold::Limited::new(&options.limits, sink, |_| {
                        $crate::core::fold::Folding::new(Default::default(), options)
                    })
                }
            }
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
