//! Declared answers: Rust types whose members a sink finds by number.

pub mod absent;
#[cfg(feature = "serde")]
pub(crate) mod from_json;
pub(crate) mod keys;
pub mod member;
pub(crate) mod member_values;
pub(crate) mod nodes;
pub(crate) mod object;
pub mod shape;
pub mod store;
pub(crate) mod tagged;
pub(crate) mod unions;
pub(crate) mod words;

/// Declares a protocol's answer.
///
/// ```text
/// model! {
///     words {
///         /// How far a turn has come.
///         Status as "TurnStatus" { Streaming = "streaming", Completed = "completed" }
///     }
///     open words {
///         /// Who speaks; a server may send other names.
///         Role as "Role" { User = "user", Agent = "agent" }
///     }
///     root {
///         /// The turn so far.
///         Snapshot as "Turn" { status: Status, parts: Vec<Part>, usage: Option<Usage> }
///     }
///     objects {
///         /// Text.
///         TextPart as "TextPart" { text: String }
///     }
///     open objects {
///         /// Tokens; members that are not declared are kept in `extra`.
///         Usage as "Usage" { total: Option<i64> => object = "usage" }
///     }
///     unions {
///         /// One part of a turn.
///         Part as "Part" by "type" { Text(TextPart) = "text" }
///     }
///     tagged {
///         /// One content of a message.
///         Content as "Content" by r#type { index: u32 => r#type = tag }
///         /// What it holds.
///         Payload {
///             /// Text.
///             Text as TextContent = "text" { text: Option<String> }
///         }
///         /// Its types.
///         ContentType as "ContentType"
///     }
/// }
/// ```
///
/// Creates these types, `MODEL` with their shapes, and for each object its number for an engine (`TextPart::KIND`) and
/// those of its members (`TextPart::text`); members with the same name have the same number in all objects. A root may
/// also be `open`. If the answer is a part of the root, `with` names the methods that write it and the tool calls, as
/// in `Snapshot as "Chat" with turn_json, calls_json { … }`. An object starts with the first word of each list, empty
/// texts, zero and null, or with the word that is given (`status: Status = "completed"`). After `=>` follows a further
/// member with a constant value.
macro_rules! model {
    (
        words { $($words:tt)* }
        $(open words { $($open_words:tt)* })?
        $(root { $($root:tt)* })?
        $(open root { $($open_root:tt)* })?
        objects { $($objects:tt)* }
        $(open objects { $($open_objects:tt)* })?
        $(unions { $($unions:tt)* })?
        $(tagged { $($tagged:tt)* })?
    ) => {
        #[allow(unused_imports)]
        use $crate::core::declare::model::{object::object, tagged::tagged, unions::unions, words::words};
        words! { closed $($words)* }
        $(words! { open $($open_words)* })?
        $(model! { @root [] [] $($root)* })?
        $(model! {
            @root
            [,
                /// Members the protocol does not declare, verbatim.
                pub extra: alloc::vec::Vec<$crate::json::Member>
            ] [extra]
            $($open_root)*
        })?
        model! { @objects $($objects)* }
        $(model! { @open $($open_objects)* })?
        $(unions! { $($unions)* })?
        $(tagged! { $($tagged)* })?
        model! {
            @model [$($words)* $($($open_words)*)?] [$($($root)*)? $($($open_root)*)? $($objects)* $($($open_objects)*)?] [$($($unions)*)?]
            [$($($tagged)*)?]
        }
    };
    (@objects $($(#[doc = $doc:literal])* $Object:ident as $name:literal { $($members:tt)* })*) => {$(
        object! { $(#[doc = $doc])* $Object as $name [] [] [] { $($members)* } }
        model! { @of_kind $Object }
    )*};
    (@open $($(#[doc = $doc:literal])* $Object:ident as $name:literal { $($members:tt)* })*) => {$(
        object! {
            $(#[doc = $doc])* $Object as $name
            [
                /// Members the protocol does not declare, verbatim.
                pub extra: alloc::vec::Vec<$crate::json::Member>
            ] [extra] []
            { $($members)* }
        }
        model! { @of_kind $Object }
    )*};
    (@of_kind $Object:ident) => {
        impl $crate::core::declare::model::member::OfKind for $Object {
            fn of_kind(_: $crate::core::sink::Kind) -> Self {
                Self::default()
            }
        }
    };
    (
        @root [$($extra:tt)*] $keeps:tt
        $(#[doc = $doc:literal])* $Object:ident as $name:literal $(with $answer:ident, $calls:ident)? { $($members:tt)* }
    ) => {
        object! {
            $(#[doc = $doc])* $Object as $name
            [
                /// The positions of the objects that were opened.
                pub(super) nodes: $crate::core::declare::model::nodes::Nodes $($extra)*
            ] $keeps []
            { $($members)* }
        }

        impl $crate::core::declare::model::store::Root for $Object {
            const MODEL: &'static $crate::core::declare::model::shape::Model = &MODEL;

            fn nodes(&mut self) -> &mut $crate::core::declare::model::nodes::Nodes {
                &mut self.nodes
            }
        }

        impl $crate::core::answer::Answer for $Object {
            $(
                fn answer_json(&self) -> alloc::string::String {
                    self.$answer()
                }

                fn calls_json(&self) -> Option<alloc::string::String> {
                    Some(self.$calls())
                }
            )?
        }

        const _: () = assert!(MODEL.depth() <= $crate::core::declare::model::nodes::DEEPEST, "too many objects inside of objects");

        /// Returns the tables that a reader of the patch needs, as JSON.
        pub fn patch_schema() -> alloc::string::String {
            MODEL.patch_schema()
        }

        impl $Object {
            /// Returns the answer as JSON, with the members that TypeScript declares.
            pub fn to_json(&self) -> alloc::string::String {
                $crate::core::declare::model::member::object_to_json(self)
            }
        }
    };
    (@model
        [$($(#[doc = $words_doc:literal])* $Words:ident as $words_name:literal { $($words:tt)* })*]
        [$($(#[doc = $doc:literal])* $Object:ident as $name:literal $(with $answer:ident, $calls:ident)? { $($members:tt)* })*]
        [$($(#[doc = $union_doc:literal])* $Union:ident as $union_name:literal by $tag:literal { $($variants:tt)* })*]
        [$(
            $(#[doc = $tagged_doc:literal])* $Tagged:ident as $tagged_name:literal by $type:ident { $($shared:tt)* }
            $(#[doc = $payload_doc:literal])* $Payload:ident {$(
                $(#[doc = $variant_doc:literal])* $Variant:ident as $Shape:ident = $word:literal { $($own:tt)* }
            )*}
            $(#[doc = $types_doc:literal])* $Types:ident as $types_name:literal
        )*]
    ) => {
        /// The model of the answer.
        pub static MODEL: $crate::core::declare::model::shape::Model = $crate::core::declare::model::shape::Model {
            objects: &[$($Object::SHAPE,)* $($Tagged::SHAPE, $($Shape::SHAPE,)*)*],
            unions: &[$($Union::SHAPE,)* $($Tagged::UNION,)*],
            words: &[$($Words::SHAPE,)* $($Types::SHAPE,)*],
        };

        /// The numbers of the objects.
        enum ObjectNumber { $($Object,)* $($Tagged, $($Shape,)*)* }
    };
}
pub(crate) use model;
