//! Members that many events of a protocol have.

/// [`events!`](super::events) for events with common members, which are declared once: those of `all` are in every
/// event, the one of `most` in the events that name it, as in `Row = "NAME" most { … }`; its field has another number
/// in each of them, `most(3)`. The latter is written first: if a text is written in pieces, the piece is the last
/// member.
macro_rules! events_with {
    ($head:tt all $all:tt most $most:tt $($rows:tt)*) => {
        $crate::core::declare::events::shared_members::events_with! { @next $head $all $most [] $($rows)* }
    };
    (@next { $($head:tt)* } $all:tt $most:tt [$($done:tt)*]) => {
        $crate::core::declare::events! { $($head)* $($done)* }
    };
    (@next $head:tt { $($all:tt)* } { $(#[doc = $most_doc:literal])* $most:ident $($most_form:tt)* } [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal $(@ $event:literal)? most $(($number:literal))? { $($own:tt)* }
        $($rest:tt)*
    ) => {
        $crate::core::declare::events::shared_members::events_with! {
            @next $head { $($all)* } { $(#[doc = $most_doc])* $most $($most_form)* }
            [$($done)* $(#[doc = $doc])* $Row = $name $(@ $event)? {
                $(#[doc = $most_doc])* $most $(($number))? $($most_form)* $($own)* $($all)*
            }] $($rest)*
        }
    };
    (@next $head:tt { $($all:tt)* } $most:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal $(@ $event:literal)? { $($own:tt)* } $($rest:tt)*
    ) => {
        $crate::core::declare::events::shared_members::events_with! {
            @next $head { $($all)* } $most [$($done)* $(#[doc = $doc])* $Row = $name $(@ $event)? { $($own)* $($all)* }] $($rest)*
        }
    };
}
pub(crate) use events_with;
