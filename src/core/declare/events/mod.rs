//! Declared events and the objects in them: the declarations, the forms of members, and the reader.

#[cfg(feature = "ag-ui")]
pub(crate) mod filter;
pub mod form;
pub(crate) mod lazy_objects;
#[cfg(feature = "ag-ui")]
pub(crate) mod number;
pub mod row;
#[cfg(feature = "std")]
pub mod shape;
pub(crate) mod syntax;
pub mod table;

pub(crate) use lazy_objects::lazy_objects;

/// Declares the events of a protocol.
///
/// ```text
/// events! {
///     /// One event of a stream.
///     Event by "type", end "[DONE]";
///
///     /// The next piece of a call's arguments.
///     ToolCallArgs = "tool-call-args" {
///         /// The call's id.
///         tool_call_id as "toolCallId": Id,
///         /// The piece.
///         delta: Text,
///     }
/// }
/// ```
///
/// Creates `Event<'a>`, whose values are decoded, with `TYPES`, `decode`, `write`, `to_data`, `to_sse`, `name` and
/// `into_owned`; `Wire`, the event before decoding, for the engine; and `EVENTS`, the table for reading both. A kind
/// without a name is the one without a tag.
///
/// If the events are also messages of Protocol Buffers, an event has the number of its field after its name (`=
/// "RUN_ERROR" @ 14`) and a member after its own (`message(3): Text`). Changes to the row of a member follow its form:
/// `outcome: Optional<Json> [.inside(&OUTCOME).legacy_null()]`.
///
/// The [form] of a member is its type: `Text`, `Id`, `Integer`, `Bool`, `Json`, …; `Optional<Text>` may be omitted,
/// `Nullable<Text>` may also be null, and for `Maybe<Text>` these have different meanings; `List of TokenUsage`
/// contains objects that [`lazy_objects!`] declares.
macro_rules! events {
    (
        $(#[$meta:meta])*
        $Event:ident by $tag:literal $(, end $end:literal)?;
        $(
            $(#[doc = $doc:literal])*
            $Row:ident $(= $name:literal)? $(@ $event_number:literal)? {
                $($(#[doc = $member_doc:literal])* $member:ident $(($($number:tt)+))? $(as $wire:literal)?: $form:ident $(<$inner:ident>)? $(of $Nested:ident)? $([$($change:tt)*])?),*
                $(,)?
            }
        )*
    ) => {
        /// The events of the protocol.
        pub(crate) static EVENTS: $crate::core::declare::events::table::EventTable = $crate::core::declare::events::table::EventTable {
            tag: $tag,
            rows: &[$($crate::core::declare::events::syntax::event_row!(
                $crate::core::declare::events!(@name $($name)?),
                [$(
                    $crate::core::declare::events::syntax::member!($member $($wire)?: $form $($inner)? $(of $Nested)?)
                        $(.numbered($crate::core::declare::events::number::numbered!($($number)+)))? $($($change)*)?
                ),*],
                None, None, None, [$($doc),*], [$([$($member_doc),*] None),*]
            )$(.numbered($event_number))?),*],
        };

        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $Event<'a> {
            $(
                $(#[doc = $doc])*
                $Row {
                    $($(#[doc = $member_doc])* $member: $crate::core::declare::events::syntax::value!('a $form $($inner)? $(of $Nested)?),)*
                },
            )*
            $(
                #[doc = concat!("`", $end, "`, the end. Not JSON.")]
                Done,
            )?
            /// Any other JSON object, verbatim.
            Other {
                #[doc = concat!("Its `", $tag, "`.")]
                name: Option<alloc::borrow::Cow<'a, str>>,
                /// The whole event.
                json: alloc::borrow::Cow<'a, str>,
            },
        }

        /// The kinds of events.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum EventKind { $($Row),* }

        impl EventKind {
            /// Returns the kind of an event that was read; `None` if it is not declared.
            pub(crate) fn of(reading: &$crate::core::declare::events::table::Reading<'_, '_>) -> Option<Self> {
                const ALL: &[EventKind] = &[$(EventKind::$Row),*];
                ALL.get(reading.row?).copied()
            }
        }

        /// An event while it is read, before decoding, so that a surrogate pair that is split between two pieces can
        /// be joined.
        #[derive(Debug)]
        pub(crate) enum Wire<'d, 'a> {
            $($Row { $($member: $crate::core::declare::events::syntax::wire!('d 'a $form $($inner)? $(of $Nested)?),)* },)*
            #[allow(dead_code, reason = "for protocols that look at events which they do not have")]
            Other { name: Option<$crate::json::Str<'a>>, json: $crate::json::Element<'d, 'a> },
        }

        impl<'d, 'a> Wire<'d, 'a> {
            /// Creates an event from a successful reading.
            pub(crate) fn of(reading: &$crate::core::declare::events::table::Reading<'d, 'a>) -> Self {
                use $crate::core::declare::events::{form::Form, syntax::form};
                #[allow(unused_mut, unused_variables)]
                let mut cursor = reading.cursor();
                match EventKind::of(reading) {
                    $(Some(EventKind::$Row) => Wire::$Row {
                        $($member: <form!($form $($inner)? $(of $Nested)?) as Form>::take(cursor.take()),)*
                    },)*
                    None => Wire::Other { name: reading.name, json: reading.json },
                }
            }
        }

        impl $Event<'_> {
            /// The types of the protocol, in the order of its documentation.
            pub const TYPES: &'static [&'static str] = {
                const ALL: &[&str] = &[$($($name,)?)*];
                ALL
            };

            /// The initial capacity for a piece of text: the usual event is written without growing.
            const USUAL: usize = 96;

            /// Returns the data of the event: one JSON object on one line, or the end marker.
            pub fn to_data(&self) -> alloc::string::String {
                let mut out = alloc::string::String::with_capacity(Self::USUAL);
                self.write(&mut out);
                out
            }

            /// Returns the event in its wire format.
            #[allow(dead_code, reason = "for builders that give their events no numbers")]
            pub(crate) fn to_wire(&self) -> $crate::core::wire::WireEvent {
                $crate::core::wire::WireEvent::written(Self::USUAL, None, |frame| self.write(frame))
            }

            /// Returns the event as one server-sent event, including the blank line.
            pub fn to_sse(&self) -> alloc::string::String {
                let mut out = alloc::string::String::new();
                $crate::sse::event(&mut out, None, None, &self.to_data());
                out
            }

            /// Appends the data of the event. Absent optional members are omitted.
            pub fn write(&self, out: &mut alloc::string::String) {
                use $crate::core::declare::events::{form::Form, syntax::form};
                match self {
                    $(Self::$Row { $($member),* } => {
                        let mut object = $crate::json::Object::open(out, true);
                        $(object.string($tag, Some($name));)?
                        $(<form!($form $($inner)? $(of $Nested)?) as Form>::write(
                            $member, $crate::core::declare::events::syntax::name!($member $($wire)?), &mut object,
                        );)*
                        object.close();
                    })*
                    $(Self::Done => out.push_str($end),)?
                    Self::Other { json, .. } => $crate::json::put_json(out, json),
                }
            }

            /// Returns the value of its tag; `None` for an event without a tag.
            pub fn name(&self) -> Option<&str> {
                match self {
                    $(Self::$Row { .. } => Some($crate::core::declare::events!(@name $($name)?)).filter(|name| !name.is_empty()),)*
                    $(Self::Done => { let _: &str = $end; None })?
                    Self::Other { name, .. } => name.as_deref(),
                }
            }
        }

        impl<'a> $Event<'a> {
            /// Reads the data of one server-sent event; `max_depth` bounds the nesting of its JSON.
            ///
            /// Fails if the data is neither the end marker (with or without white space around it) nor one JSON
            /// object, or if a member of its type is missing or has a wrong type. Unknown types and members are not
            /// errors.
            pub fn decode(data: &'a str, max_depth: u32) -> Result<Self, $crate::core::error::DecodeError> {
                use $crate::core::declare::events::{form::Form, syntax::form};
                $(if $crate::core::detect::is_marker(data, $end) {
                    return Ok(Self::Done);
                })?
                let document = $crate::json::Document::read_into(&mut Default::default(), data, max_depth)?;
                EVENTS.check(document.root())?;
                let reading = EVENTS.read(document.root())?;
                Ok(match Wire::of(&reading) {
                    $(Wire::$Row { $($member),* } => Self::$Row {
                        $($member: <form!($form $($inner)? $(of $Nested)?) as Form>::value($member),)*
                    },)*
                    Wire::Other { name, .. } => Self::Other {
                        name: name.map($crate::json::Str::to_str),
                        json: alloc::borrow::Cow::Borrowed(data),
                    },
                })
            }

            /// Returns the event as one that does not borrow.
            pub fn into_owned(self) -> $Event<'static> {
                use $crate::core::declare::events::form::IntoOwned;
                match self {
                    $(Self::$Row { $($member),* } => $Event::$Row { $($member: IntoOwned::into_owned($member),)* },)*
                    $(Self::Done => { let _: &str = $end; $Event::Done })?
                    Self::Other { name, json } => $Event::Other { name: IntoOwned::into_owned(name), json: IntoOwned::into_owned(json) },
                }
            }
        }
    };
    (@name) => { "" };
    (@name $name:literal) => { $name };
}
pub(crate) use events;
