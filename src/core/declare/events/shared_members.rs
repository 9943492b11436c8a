//! Members that many events of a protocol have.

/// [`events!`](super::events) where many events have the same members, said once: those of `all` in every event, those of
/// `most` in the events of which it is said, as in `Row = "NAME" most { … }`. The latter come first: where a text is written piece
/// by piece, the piece is the last member.
macro_rules! events_with {
    ($head:tt all $all:tt most $most:tt $($rows:tt)*) => {
        $crate::core::declare::events::shared_members::events_with! { @next $head $all $most [] $($rows)* }
    };
    (@next { $($head:tt)* } $all:tt $most:tt [$($done:tt)*]) => {
        $crate::core::declare::events! { $($head)* $($done)* }
    };
    (@next $head:tt { $($all:tt)* } { $($most:tt)* } [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal most { $($own:tt)* } $($rest:tt)*
    ) => {
        $crate::core::declare::events::shared_members::events_with! {
            @next $head { $($all)* } { $($most)* }
            [$($done)* $(#[doc = $doc])* $Row = $name { $($most)* $($own)* $($all)* }] $($rest)*
        }
    };
    (@next $head:tt { $($all:tt)* } $most:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal { $($own:tt)* } $($rest:tt)*
    ) => {
        $crate::core::declare::events::shared_members::events_with! {
            @next $head { $($all)* } $most [$($done)* $(#[doc = $doc])* $Row = $name { $($own)* $($all)* }] $($rest)*
        }
    };
}
pub(crate) use events_with;
