//! The members that many events share, declared once.

/// Declares the events, each in its group. All events have a number. Events of `run` contain the whole response, those
/// of `item` refer to an item of its output, and those of `part` or `summary` refer to a part of such an item.
macro_rules! groups {
    (@next [$($head:tt)*] [$($done:tt)*]) => {
        $crate::core::declare::events! { $($head)* $($done)* }
    };
    (@next $head:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal in run; $($rest:tt)*
    ) => {
        groups! { @next $head [$($done)* $(#[doc = $doc])* $Row = $name {
            /// The event's number in the stream. It grows by one with each event.
            sequence_number: Number,
            /// The whole response.
            response: Json,
        }] $($rest)* }
    };
    (@next $head:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal in item { $($own:tt)* } $($rest:tt)*
    ) => {
        groups! { @next $head [$($done)* $(#[doc = $doc])* $Row = $name {
            /// The event's number in the stream. It grows by one with each event.
            sequence_number: Number,
            /// The item's id.
            item_id: Nullable<Id>,
            /// The item's index in the output.
            output_index: Number,
            $($own)*
        }] $($rest)* }
    };
    (@next $head:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal in part { $($own:tt)* } $($rest:tt)*
    ) => {
        groups! { @next $head [$($done)* $(#[doc = $doc])* $Row = $name {
            /// The event's number in the stream. It grows by one with each event.
            sequence_number: Number,
            /// The item's id.
            item_id: Nullable<Id>,
            /// The item's index in the output.
            output_index: Number,
            /// The part's index in the item.
            content_index: Number,
            $($own)*
        }] $($rest)* }
    };
    (@next $head:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident = $name:literal in summary { $($own:tt)* } $($rest:tt)*
    ) => {
        groups! { @next $head [$($done)* $(#[doc = $doc])* $Row = $name {
            /// The event's number in the stream. It grows by one with each event.
            sequence_number: Number,
            /// The item's id.
            item_id: Nullable<Id>,
            /// The item's index in the output.
            output_index: Number,
            /// The part's index in the summary.
            summary_index: Number,
            $($own)*
        }] $($rest)* }
    };
    (@next $head:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Row:ident $(= $name:literal)? { $($own:tt)* } $($rest:tt)*
    ) => {
        groups! { @next $head [$($done)* $(#[doc = $doc])* $Row $(= $name)? {
            /// The event's number in the stream. It grows by one with each event.
            sequence_number: Number,
            $($own)*
        }] $($rest)* }
    };
    ($(#[$meta:meta])* $Event:ident by $tag:literal, end $end:literal; $($rows:tt)*) => {
        groups! { @next [$(#[$meta])* $Event by $tag, end $end;] [] $($rows)* }
    };
}
pub(super) use groups;
