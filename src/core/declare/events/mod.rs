//! Declared events and the objects in them: the declarations, the forms of members, and the reader.

#[cfg(feature = "ag-ui")]
pub(crate) mod filter;
pub mod form;
pub mod table;

/// Reads the data of an event from any format: its JSON, or the end marker, which is a string.
#[cfg(feature = "serde")]
pub(crate) fn data_of<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<String, D::Error> {
    use crate::json::Value;
    match serde::Deserialize::deserialize(deserializer)? {
        Value::String(marker) => Ok(marker),
        json => Ok(json.to_json()),
    }
}

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
/// Creates `Event<'a>`, whose values are decoded, with `TYPES`, `decode`, `write`, `to_data`,
/// `to_sse`, `name` and `into_owned`; `Wire`, the event before decoding, for the engine; and
/// `EVENTS`, the table for reading both. A kind without a name is the one without a tag.
///
/// If the events are also messages of Protocol Buffers, an event has the number of its field after
/// its name (`= "RUN_ERROR" @ 14`) and a member after its own (`message(3): Text`). Changes to the
/// row of a member follow its form: `outcome: Optional<Json> [.inside(&OUTCOME).legacy_null()]`.
///
/// The [form] of a member is its type: `Text`, `Id`, `Integer`, `Bool`, `Json`, …; `Optional<Text>`
/// may be omitted, `Nullable<Text>` may also be null, and for `Maybe<Text>` these have different
/// meanings; `List of TokenUsage` contains objects that [`lazy_objects!`] declares.
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
            rows: &[$($crate::core::declare::events::event_row!(
                $crate::core::declare::events!(@name $($name)?),
                [$(
                    $crate::core::declare::events::member_row!($member $($wire)?: $form $($inner)? $(of $Nested)?)
                        $(.numbered($crate::core::declare::events::table::numbered!($($number)+)))? $($($change)*)?
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
                    $($(#[doc = $member_doc])* $member: $crate::core::declare::events::value_type!('a $form $($inner)? $(of $Nested)?),)*
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
            pub(crate) fn of(reading: &$crate::core::declare::events::table::EventReading<'_, '_>) -> Option<Self> {
                const ALL: &[EventKind] = &[$(EventKind::$Row),*];
                ALL.get(reading.row?).copied()
            }
        }

        /// An event while it is read, before decoding, so that a surrogate pair that is split
        /// between two pieces can be joined.
        #[derive(Debug)]
        pub(crate) enum Wire<'d, 'a> {
            $($Row { $($member: $crate::core::declare::events::wire_type!('d 'a $form $($inner)? $(of $Nested)?),)* },)*
            #[allow(dead_code, reason = "for protocols that look at events which they do not have")]
            Other { name: Option<$crate::json::Str<'a>>, json: $crate::json::Element<'d, 'a> },
        }

        impl<'d, 'a> Wire<'d, 'a> {
            /// Creates an event from a successful reading.
            pub(crate) fn of(reading: &$crate::core::declare::events::table::EventReading<'d, 'a>) -> Self {
                use $crate::core::declare::events::form::Form;
                #[allow(unused_mut, unused_variables)]
                let mut cursor = reading.cursor();
                match EventKind::of(reading) {
                    $(Some(EventKind::$Row) => Wire::$Row {
                        $($member: <$crate::core::declare::events::form_type!($form $($inner)? $(of $Nested)?) as Form>::take(cursor.take()),)*
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

            /// The initial capacity for a piece of text: the usual event is written without
            /// growing.
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
                use $crate::core::declare::events::form::Form;
                match self {
                    $(Self::$Row { $($member),* } => {
                        let mut object = $crate::json::ObjectWriter::open(out, true);
                        $(object.string($tag, Some($name));)?
                        $(<$crate::core::declare::events::form_type!($form $($inner)? $(of $Nested)?) as Form>::write(
                            $member, $crate::core::declare::events::wire_name!($member $($wire)?), &mut object,
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

        /// The event as its JSON; the end marker as a string.
        #[cfg(feature = "serde")]
        impl serde::Serialize for $Event<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $(if matches!(self, Self::Done) {
                    return serializer.serialize_str($end);
                })?
                $crate::json::serialize_json(&self.to_data(), serializer)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $Event<'static> {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let data = $crate::core::declare::events::data_of(deserializer)?;
                $Event::decode(&data, $crate::json::DEEPEST)
                    .map($Event::into_owned)
                    .map_err(serde::de::Error::custom)
            }
        }

        impl<'a> $Event<'a> {
            /// Reads the data of one server-sent event; `max_depth` bounds the nesting of its JSON.
            ///
            /// Fails if the data is neither the end marker (with or without white space around it)
            /// nor one JSON object, or if a member of its type is missing or has a wrong type.
            /// Unknown types and members are not errors.
            pub fn decode(data: &'a str, max_depth: u32) -> Result<Self, $crate::core::error::DecodeError> {
                use $crate::core::declare::events::form::Form;
                $(if $crate::core::detect::is_marker(data, $end) {
                    return Ok(Self::Done);
                })?
                let document = $crate::json::Document::read_into(&mut Default::default(), data, max_depth)?;
                EVENTS.check(document.root())?;
                let reading = EVENTS.read(document.root())?;
                Ok(match Wire::of(&reading) {
                    $(Wire::$Row { $($member),* } => Self::$Row {
                        $($member: <$crate::core::declare::events::form_type!($form $($inner)? $(of $Nested)?) as Form>::value($member),)*
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

// The syntax of members in a declaration of events:
// `name as "nameOnTheWire": Form<Form> of Object`.

/// The row of a member.
macro_rules! member_row {
    ($member:ident $($wire:literal)?: $($form:tt)*) => {
        $crate::core::declare::events::form::row_of::<$crate::core::declare::events::form_type!($($form)*)>(
            $crate::core::declare::events::wire_name!($member $($wire)?),
        )
    };
}

/// The row of a kind of event: its name, its members, an additional check, and its documentation.
macro_rules! event_row {
    (
        $name:expr, [$($row:expr),*], $also:expr, $type:expr, $variants:expr, [$($doc:literal),*],
        [$([$($member_doc:literal),*] $words:expr),*]
    ) => {{
        let row = $crate::core::declare::events::table::EventRow::new($name, const { &[$($row),*] }, $also);
        #[cfg(feature = "std")]
        let row = row.described(const { &$crate::core::declare::events::table::RowShape {
            name: $type,
            doc: &[$($doc),*],
            members: &[$($crate::core::declare::events::table::EventMemberShape { doc: &[$($member_doc),*], words: $words }),*],
            variants: $variants,
        } });
        row
    }};
}

/// The name of a member on the wire.
macro_rules! wire_name {
    ($member:ident) => {
        stringify!($member)
    };
    ($member:ident $wire:literal) => {
        $wire
    };
}

/// The type for the form of a member.
macro_rules! form_type {
    ($form:ident) => { $crate::core::declare::events::form::$form };
    ($form:ident of $Nested:ident) => { $crate::core::declare::events::form::$form<$Nested<'static>> };
    ($form:ident $inner:ident $($nested:tt)*) => {
        $crate::core::declare::events::form::$form<$crate::core::declare::events::form_type!($inner $($nested)*)>
    };
}

/// The type of the value while it is read, with the lifetimes of a document and a text.
macro_rules! wire_type {
    ($d:lifetime $a:lifetime Text) => { $crate::json::Str<$a> };
    ($d:lifetime $a:lifetime Id) => { $crate::json::Str<$a> };
    ($d:lifetime $a:lifetime Integer) => { i64 };
    ($d:lifetime $a:lifetime Bool) => { bool };
    ($d:lifetime $a:lifetime Message) => { alloc::borrow::Cow<$a, str> };
    ($d:lifetime $a:lifetime Unread) => { Option<$crate::json::Element<$d, $a>> };
    ($d:lifetime $a:lifetime Json) => { Option<$crate::json::Element<$d, $a>> };
    ($d:lifetime $a:lifetime Number) => { Option<i64> };
    ($d:lifetime $a:lifetime $form:ident of $Nested:ident) => {
        $crate::core::declare::events::form::NestedJson<$d, $Nested<'static>>
    };
    ($d:lifetime $a:lifetime Maybe $($inner:tt)*) => {
        $crate::core::declare::events::form::Presence<$crate::core::declare::events::wire_type!($d $a $($inner)*)>
    };
    ($d:lifetime $a:lifetime $optional:ident $($inner:tt)*) => {
        Option<$crate::core::declare::events::wire_type!($d $a $($inner)*)>
    };
}

/// The type of the public value.
macro_rules! value_type {
    ($a:lifetime Text) => { alloc::borrow::Cow<$a, str> };
    ($a:lifetime Id) => { alloc::borrow::Cow<$a, str> };
    ($a:lifetime Integer) => { i64 };
    ($a:lifetime Bool) => { bool };
    ($a:lifetime Message) => { alloc::borrow::Cow<$a, str> };
    ($a:lifetime Unread) => { $crate::json::Value };
    ($a:lifetime Json) => { $crate::json::Value };
    ($a:lifetime Number) => { Option<i64> };
    ($a:lifetime $form:ident of $Nested:ident) => { $crate::json::Value };
    ($a:lifetime Maybe $($inner:tt)*) => {
        $crate::core::declare::events::form::Presence<$crate::core::declare::events::value_type!($a $($inner)*)>
    };
    ($a:lifetime $optional:ident $($inner:tt)*) => { Option<$crate::core::declare::events::value_type!($a $($inner)*)> };
}

/// [`events!`](super::events) for events with common members, which are declared once: those of `all` are in every
/// event, the one of `most` in the events that name it, as in `Row = "NAME" most { … }`; its field
/// has another number in each of them, `most(3)`. The latter is written first: if a text is written
/// in pieces, the piece is the last member.
#[cfg(any(feature = "ag-ui", feature = "agentscope"))]
macro_rules! events_with {
    ($head:tt all $all:tt most $most:tt $($rows:tt)*) => {
        $crate::core::declare::events::events_with! { @next $head $all $most [] $($rows)* }
    };
    (@next { $($head:tt)* } $all:tt $most:tt [$($done:tt)*]) => {
        $crate::core::declare::events! { $($head)* $($done)* }
    };
    (@next $head:tt { $($all:tt)* } { $(#[doc = $most_doc:literal])* $most:ident $($most_form:tt)* } [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal $(@ $event:literal)? most $(($number:literal))? { $($own:tt)* }
        $($rest:tt)*
    ) => {
        $crate::core::declare::events::events_with! {
            @next $head { $($all)* } { $(#[doc = $most_doc])* $most $($most_form)* }
            [$($done)* $(#[doc = $doc])* $Row = $name $(@ $event)? {
                $(#[doc = $most_doc])* $most $(($number))? $($most_form)* $($own)* $($all)*
            }] $($rest)*
        }
    };
    (@next $head:tt { $($all:tt)* } $most:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal $(@ $event:literal)? { $($own:tt)* } $($rest:tt)*
    ) => {
        $crate::core::declare::events::events_with! {
            @next $head { $($all)* } $most [$($done)* $(#[doc = $doc])* $Row = $name $(@ $event)? { $($own)* $($all)* }] $($rest)*
        }
    };
}

// Declared objects in events, or events, whose members are read one by one.

/// Declares objects whose members are read on access.
///
/// ```text
/// lazy_objects! {
///     /// One use of a model.
///     TokenUsage {
///         /// Which.
///         model: Nullable<Text>,
///         /// Its prices.
///         prices: Nullable<List> of Price,
///     }
/// }
/// ```
///
/// `TokenUsage if is_priced { … }` also requires that its method `is_priced` returns no error.
/// `TokenUsage as "Usage"` sets the name in TypeScript, `with Price` appends the members of the
/// variants of `Price`, a tagged object of the answer, and `status: Text in Status` declares that a
/// text is usually one of those words.
///
/// Creates a type for each object, with a method for every member. A large object with many members
/// then costs nothing until a member is read; if all members are needed, [`events!`](super::events)
/// reads them as one value.
macro_rules! lazy_objects {
    ($($(#[doc = $doc:literal])* $Object:ident $(as $type:literal)? $(= $name:literal)? $(if $also:ident)? $(with $Variants:ident)? {
        $($(#[doc = $member_doc:literal])* $member:ident $(as $wire:literal)?: $form:ident $(<$inner:ident>)? $(of $Nested:ident)? $(in $Words:ident)?),*
        $(,)?
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $Object<'a>(pub(crate) $crate::core::declare::events::table::EventReading<'a, 'a>);

        const _: () = {
            use $crate::core::declare::events::{form::{Form, Nested}, table::{EventRow, EventTable, EventReading}};
            use $crate::json::Element;

            #[allow(non_camel_case_types)]
            enum Position { $($member),* }

            #[allow(dead_code, reason = "not every object is looked at in every way")]
            impl $Object<'_> {
                /// The members that the protocol declares.
                pub const MEMBERS: &'static [&'static str] = &[$($crate::core::declare::events::wire_name!($member $($wire)?)),*];

                pub(crate) const ROW: EventRow = Self::row(lazy_objects!(@name $($name)?));

                /// The row of the object as a kind of event with that name.
                const fn row(name: &'static str) -> EventRow {
                    $crate::core::declare::events::event_row!(
                        name,
                        [$($crate::core::declare::events::member_row!($member $($wire)?: $form $($inner)? $(of $Nested)?)),*],
                        lazy_objects!(@also $Object $($also)?),
                        lazy_objects!(@option $($type)?),
                        lazy_objects!(@option $($Variants::UNION)?),
                        [$($doc),*],
                        [$([$($member_doc),*] lazy_objects!(@option $($Words::SHAPE)?)),*]
                    )
                }
            }

            #[allow(dead_code, reason = "not every object is looked at in every way")]
            impl<'a> $Object<'a> {
                /// Reads one from an object.
                ///
                /// Fails if a declared member has a wrong type. Undeclared or missing members are
                /// not errors.
                pub fn decode(json: Element<'a, 'a>) -> Result<Self, $crate::core::error::DecodeError> {
                    <$Object<'static> as Nested>::read(json)
                }

                /// Returns the whole object.
                pub fn json(&self) -> Element<'a, 'a> {
                    self.0.json
                }

                /// Iterates over the undeclared members.
                pub fn undeclared(&self) -> impl Iterator<Item = (alloc::borrow::Cow<'a, str>, $crate::json::Raw<'a>)> + use<'a> {
                    self.0.undeclared()
                }

                $(
                    $(#[doc = $member_doc])*
                    pub fn $member(&self) -> $crate::core::declare::events::wire_type!('a 'a $form $($inner)? $(of $Nested)?) {
                        <$crate::core::declare::events::form_type!($form $($inner)? $(of $Nested)?) as Form>::take(self.0.get(Position::$member as usize))
                    }
                )*
            }

            impl Nested for $Object<'static> {
                const TABLE: &'static EventTable = &EventTable { tag: "", rows: &[$Object::row("")] };
                type Wire<'d> = $Object<'d>;

                fn of<'d>(reading: EventReading<'d, 'd>) -> $Object<'d> {
                    $Object(reading)
                }
            }
        };
    )*};
    (@name) => { "" };
    (@name $name:literal) => { $name };
    (@option) => { None };
    (@option $value:expr) => { Some($value) };
    (@also $Object:ident) => { None };
    (@also $Object:ident $also:ident) => { Some(|reading| $Object(*reading).$also()) };
}

#[cfg(any(feature = "ag-ui", feature = "agentscope"))]
pub(crate) use events_with;
pub(crate) use {
    event_row, events, form_type, lazy_objects, member_row, value_type, wire_name, wire_type,
};

#[cfg(test)]
mod tests {
    use crate::core::declare::events::form::Presence;
    use crate::json::Document;

    lazy_objects! {
        /// A use of a model.
        Usage {
            /// Which.
            model: Text,
            /// How much.
            tokens: Nullable<Integer>,
            /// Whether it is the last.
            last: Maybe<Bool>,
            /// Some other number.
            loose: Number,
        }
        /// Several.
        Uses = "uses" {
            /// All.
            all: Nullable<List> of Usage,
            /// One.
            one: Nullable<Object> of Usage,
        }
    }

    events! {
        /// An event.
        Event by "type";

        /// How much was used.
        Used = "used" {
            /// By whom.
            uses: List of Usage,
            /// Altogether.
            sum: Optional<Object> of Usage,
            /// How often.
            times: Integer,
            /// Whether that is all.
            last: Maybe<Bool>,
        }
    }

    fn uses(json: &str, with: impl FnOnce(Uses<'_>)) {
        let document = Document::read(json, 9).expect("JSON");
        with(Uses::decode(document.root()).expect("uses"));
    }

    #[test]
    fn members_are_absent_null_or_present() {
        uses(
            r#"{"one":null,"x":1,"all":[{"model":"a","tokens":"12","last":null,"loose":true},{"tokens":1},{"model":"b","tokens":null,"last":true,"loose":2.0}],"y":[2]}"#,
            |uses| {
                let all: Vec<_> = uses.all().expect("a list").each().collect();
                let [Ok(first), Err(second), Ok(third)] = &all[..] else { panic!("{all:?}") };
                assert_eq!(
                    (first.model().raw(), first.tokens(), first.last(), first.loose()),
                    ("a", Some(12), Presence::Null, None)
                );
                assert_eq!((second.code, &*second.path), ("missing-member", "model"));
                assert_eq!(
                    (third.tokens(), third.last(), third.loose()),
                    (None, Presence::Value(true), Some(2))
                );
                assert!(uses.one().is_none() && !third.0.has_undeclared());
                let undeclared: Vec<_> = uses
                    .0
                    .other_than(2)
                    .map(|(name, value)| format!("{name}{}", value.as_str()))
                    .collect();
                assert_eq!(undeclared, ["x1", "y[2]"]);
                assert_eq!((uses.0.first_from(0), third.0.first_from(1)), (Some(0), Some(2)));
            },
        );
        uses(r#"{"one":{"model":"c"}}"#, |uses| {
            let one = uses.one().and_then(|one| one.object()).expect("an object");
            assert_eq!(
                (one.model().raw(), one.tokens(), one.last()),
                ("c", None, Presence::Absent)
            );
            assert!(uses.all().is_none());
        });
    }

    #[test]
    fn nested_errors_are_reported_with_their_path() {
        let wrong = |json: &str| {
            let error = Event::decode(json, 9).map(Event::into_owned).expect_err(json);
            (error.code, error.path)
        };
        assert_eq!(
            wrong(r#"{"type":"used","uses":[{"model":1}],"times":1}"#),
            ("wrong-type", "model".to_owned())
        );
        assert_eq!(
            wrong(r#"{"type":"used","uses":[],"sum":{},"times":1}"#),
            ("missing-member", "model".to_owned())
        );
        assert_eq!(
            wrong(r#"{"type":"used","uses":{},"times":1}"#),
            ("wrong-type", "uses".to_owned())
        );
        assert_eq!(
            wrong(r#"{"type":"used","uses":[],"times":1.5}"#),
            ("wrong-type", "times".to_owned())
        );
        assert_eq!(wrong(r#"{"type":"used","uses":[]}"#), ("missing-member", "times".to_owned()));
        assert_eq!(
            wrong(r#"{"type":"used","uses":[],"times":1,"last":0}"#),
            ("wrong-type", "last".to_owned())
        );
    }

    #[test]
    fn decoded_events_are_encoded_unchanged() {
        for json in [
            r#"{"type":"used","uses":[{"model":"a","x":[1]}],"sum":{"model":"b"},"times":3,"last":null}"#,
            r#"{"type":"used","uses":[],"times":-1,"last":false}"#,
            r#"{"type":"used","uses":[],"times":0}"#,
        ] {
            let event = Event::decode(json, 9).expect(json);
            assert_eq!(
                (event.to_data(), event.name(), Event::TYPES),
                (json.to_owned(), Some("used"), &["used"][..])
            );
            assert_eq!(event.to_sse(), format!("data: {json}\n\n"));
            let Event::Used { last, .. } = event else { panic!("{json}") };
            assert_eq!(matches!(last, Presence::Absent), !json.contains("last"));
        }
    }
}
