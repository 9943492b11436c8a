//! The syntax of members in a declaration of events: `name as "nameOnTheWire": Form<Form> of Object`.

/// The row of a member.
macro_rules! member {
    ($member:ident $($wire:literal)?: $($form:tt)*) => {
        $crate::core::declare::events::form::row_of::<$crate::core::declare::events::syntax::form!($($form)*)>(
            $crate::core::declare::events::syntax::name!($member $($wire)?),
        )
    };
}

/// The row of a kind of event: its name, its members, an additional check, and its documentation.
macro_rules! event_row {
    (
        $name:expr, [$($row:expr),*], $also:expr, $type:expr, $variants:expr, [$($doc:literal),*],
        [$([$($member_doc:literal),*] $words:expr),*]
    ) => {{
        let row = $crate::core::declare::events::row::EventRow::new($name, const { &[$($row),*] }, $also);
        #[cfg(feature = "std")]
        let row = row.described(const { &$crate::core::declare::events::shape::RowShape {
            name: $type,
            doc: &[$($doc),*],
            members: &[$($crate::core::declare::events::shape::MemberShape { doc: &[$($member_doc),*], words: $words }),*],
            variants: $variants,
        } });
        row
    }};
}

/// The name of a member on the wire.
macro_rules! name {
    ($member:ident) => {
        stringify!($member)
    };
    ($member:ident $wire:literal) => {
        $wire
    };
}

/// The type for the form of a member.
macro_rules! form {
    ($form:ident) => { $crate::core::declare::events::form::$form };
    ($form:ident of $Nested:ident) => { $crate::core::declare::events::form::$form<$Nested<'static>> };
    ($form:ident $inner:ident $($nested:tt)*) => {
        $crate::core::declare::events::form::$form<$crate::core::declare::events::syntax::form!($inner $($nested)*)>
    };
}

/// The type of the value while it is read, with the lifetimes of a document and a text.
macro_rules! wire {
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
        $crate::core::declare::events::form::Presence<$crate::core::declare::events::syntax::wire!($d $a $($inner)*)>
    };
    ($d:lifetime $a:lifetime $optional:ident $($inner:tt)*) => {
        Option<$crate::core::declare::events::syntax::wire!($d $a $($inner)*)>
    };
}

/// The type of the public value.
macro_rules! value {
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
        $crate::core::declare::events::form::Presence<$crate::core::declare::events::syntax::value!($a $($inner)*)>
    };
    ($a:lifetime $optional:ident $($inner:tt)*) => { Option<$crate::core::declare::events::syntax::value!($a $($inner)*)> };
}

/// [`events!`](super::events) for events with common members, which are declared once: those of `all` are in every
/// event, the one of `most` in the events that name it, as in `Row = "NAME" most { … }`; its field has another number
/// in each of them, `most(3)`. The latter is written first: if a text is written in pieces, the piece is the last
/// member.
#[cfg(feature = "ag-ui")]
macro_rules! events_with {
    ($head:tt all $all:tt most $most:tt $($rows:tt)*) => {
        $crate::core::declare::events::syntax::events_with! { @next $head $all $most [] $($rows)* }
    };
    (@next { $($head:tt)* } $all:tt $most:tt [$($done:tt)*]) => {
        $crate::core::declare::events! { $($head)* $($done)* }
    };
    (@next $head:tt { $($all:tt)* } { $(#[doc = $most_doc:literal])* $most:ident $($most_form:tt)* } [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal $(@ $event:literal)? most $(($number:literal))? { $($own:tt)* }
        $($rest:tt)*
    ) => {
        $crate::core::declare::events::syntax::events_with! {
            @next $head { $($all)* } { $(#[doc = $most_doc])* $most $($most_form)* }
            [$($done)* $(#[doc = $doc])* $Row = $name $(@ $event)? {
                $(#[doc = $most_doc])* $most $(($number))? $($most_form)* $($own)* $($all)*
            }] $($rest)*
        }
    };
    (@next $head:tt { $($all:tt)* } $most:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal $(@ $event:literal)? { $($own:tt)* } $($rest:tt)*
    ) => {
        $crate::core::declare::events::syntax::events_with! {
            @next $head { $($all)* } $most [$($done)* $(#[doc = $doc])* $Row = $name $(@ $event)? { $($own)* $($all)* }] $($rest)*
        }
    };
}

#[cfg(feature = "ag-ui")]
pub(crate) use events_with;
pub(crate) use {event_row, form, member, name, value, wire};
