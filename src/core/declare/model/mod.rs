//! Declared answers: Rust types whose members a sink finds by number.

#[cfg(feature = "serde")]
pub(crate) mod from_json;
pub mod member;
pub(crate) mod objects;
pub mod shape;
pub mod store;

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
/// Creates these types, `MODEL` with their shapes, and for each object its number for an engine
/// (`TextPart::KIND`) and those of its members (`TextPart::text`); members with the same name have
/// the same number in all objects. A root may also be `open`. If the answer is a part of the root,
/// `with` names the methods that write it and the tool calls, as in
/// `Snapshot as "Chat" with turn_json, calls_json { … }`. An object starts with the first word of
/// each list, empty texts, zero and null, or with the word that is given
/// (`status: Status = "completed"`). After `=>` follows a further member with a constant value.
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
        use $crate::core::declare::model::{objects::{object, tagged, unions}, words};
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
        model! { @objects [] [] $($objects)* }
        $(model! {
            @objects
            [
                /// Members the protocol does not declare, verbatim.
                pub extra: alloc::vec::Vec<$crate::json::Member>
            ] [extra]
            $($open_objects)*
        })?
        $(unions! { $($unions)* })?
        $(tagged! { $($tagged)* })?
        model! {
            @model [$($words)* $($($open_words)*)?] [$($($root)*)? $($($open_root)*)? $($objects)* $($($open_objects)*)?] [$($($unions)*)?]
            [$($($tagged)*)?]
        }
    };
    (@objects $extra:tt $keeps:tt $($(#[doc = $doc:literal])* $Object:ident as $name:literal { $($members:tt)* })*) => {$(
        object! { $(#[doc = $doc])* $Object as $name $extra $keeps [] { $($members)* } }

        impl $crate::core::declare::model::member::OfKind for $Object {
            fn of_kind(_: $crate::core::sink::ObjectKind) -> Self {
                Self::default()
            }
        }
    )*};
    (
        @root [$($extra:tt)*] $keeps:tt
        $(#[doc = $doc:literal])* $Object:ident as $name:literal $(with $answer:ident, $calls:ident)? { $($members:tt)* }
    ) => {
        object! {
            $(#[doc = $doc])* $Object as $name
            [
                /// The positions of the objects that were opened.
                pub(super) nodes: $crate::core::declare::model::store::Nodes $($extra)*
            ] $keeps []
            { $($members)* }
        }

        impl $crate::core::declare::model::store::Root for $Object {
            const MODEL: &'static $crate::core::declare::model::shape::ModelShape = &MODEL;

            fn nodes(&mut self) -> &mut $crate::core::declare::model::store::Nodes {
                &mut self.nodes
            }
        }

        impl $crate::core::declare::model::member::DeclaredAnswer for $Object {
            $(
                fn answer_json(&self) -> alloc::string::String {
                    self.$answer()
                }

                fn calls_json(&self) -> Option<alloc::string::String> {
                    Some(self.$calls())
                }
            )?
        }

        const _: () = assert!(MODEL.depth() <= $crate::core::declare::model::store::DEEPEST, "too many objects inside of objects");

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
        pub static MODEL: $crate::core::declare::model::shape::ModelShape = $crate::core::declare::model::shape::ModelShape {
            objects: &[$($Object::SHAPE,)* $($Tagged::SHAPE, $($Shape::SHAPE,)*)*],
            unions: &[$($Union::SHAPE,)* $($Tagged::UNION,)*],
            words: &[$($Words::SHAPE,)* $($Types::SHAPE,)*],
        };

        /// The numbers of the objects.
        enum ObjectNumber { $($Object,)* $($Tagged, $($Shape,)*)* }
    };
}

// Declared lists of words: closed ones, and open ones of external protocols, which also accept
// other words.

/// Declares the enum of a closed list, and of an open one, whose `Other` is any other name and is
/// written unchanged. The fallback is not called `Unknown`, because protocols have a value with
/// that name.
macro_rules! words {
    (closed $($(#[doc = $doc:literal])* $Words:ident as $name:literal {
        $($(#[doc = $word_doc:literal])* $Word:ident = $word:literal),* $(,)?
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $Words {
            $($(#[doc = $word_doc])* $Word,)*
        }

        impl $Words {
            /// All words.
            pub const ALL: &'static [Self] = &[$(Self::$Word),*];

            /// Returns the stable name, as in JSON.
            pub const fn as_str(self) -> &'static str {
                Self::SHAPE.words[self as usize]
            }

            /// Returns the value that an engine passes to its sink.
            #[allow(dead_code)]
            pub(crate) const fn value(self) -> $crate::core::sink::FieldValue<'static> {
                $crate::core::sink::FieldValue::Word(MODEL.first_word(Position::$Words as u8) + self as u8)
            }

            /// Returns the word of a value.
            pub(crate) fn of(value: $crate::core::sink::FieldValue<'_>) -> Option<Self> {
                match value {
                    $crate::core::sink::FieldValue::Word(word) => {
                        let at = word.checked_sub(MODEL.first_word(Position::$Words as u8))?;
                        Self::ALL.get(at as usize).copied()
                    }
                    _ => None,
                }
            }
        }

        impl Default for $Words {
            fn default() -> Self {
                Self::ALL[0]
            }
        }

        words! { shared $(#[doc = $doc])* $Words as $name [false] $($word)* }

        impl $crate::core::declare::model::member::DeclaredMember for $Words {
            fn set(&mut self, value: $crate::core::sink::FieldValue<'_>) {
                *self = Self::of(value).unwrap_or_default();
            }

            fn write(&self, out: &mut alloc::string::String, _: $crate::core::declare::model::member::Writing) {
                $crate::json::write_plain(self.as_str(), out);
            }
        }
    )*
    /// The numbers of the lists of words.
    #[allow(dead_code)]
    enum Position { $($Words),* }
    };
    (open $($(#[doc = $doc:literal])* $Words:ident as $name:literal {
        $($(#[doc = $word_doc:literal])* $Word:ident = $word:literal),* $(,)?
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $Words {
            $($(#[doc = $word_doc])* $Word,)*
            /// A name this version does not know.
            Other(alloc::string::String),
        }

        impl $Words {
            /// Every known name, in the order of the declaration.
            pub const NAMES: &'static [&'static str] = Self::SHAPE.words;

            /// Returns the declared value with a name.
            pub fn known(text: &str) -> Option<Self> {
                // A search in the list, because a `match` would compile to a separate comparison
                // for each name.
                enum Position { $($Word,)* }
                let place = Self::NAMES.iter().position(|name| $crate::bytes::same(name.as_bytes(), text.as_bytes()))?;
                $(if place == Position::$Word as usize {
                    return Some(Self::$Word);
                })*
                None
            }

            /// Returns the name on the wire.
            pub fn as_str(&self) -> &str {
                enum Position { $($Word,)* }
                let place = match self {
                    $(Self::$Word => Position::$Word as usize,)*
                    Self::Other(text) => return text,
                };
                Self::NAMES[place]
            }
        }

        impl From<&str> for $Words {
            fn from(text: &str) -> Self {
                Self::known(text).unwrap_or_else(|| Self::Other(alloc::string::String::from(text)))
            }
        }

        impl Default for $Words {
            fn default() -> Self {
                Self::from(Self::NAMES[0])
            }
        }

        impl core::fmt::Display for $Words {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        words! { shared $(#[doc = $doc])* $Words as $name [true] $($word)* }

        impl $crate::core::declare::model::member::DeclaredMember for $Words {
            fn set(&mut self, value: $crate::core::sink::FieldValue<'_>) {
                *self = Self::from(MODEL.text(value));
            }

            fn write(&self, out: &mut alloc::string::String, _: $crate::core::declare::model::member::Writing) {
                match self {
                    Self::Other(text) => $crate::json::write_string(text, out),
                    known => $crate::json::write_plain(known.as_str(), out),
                }
            }
        }
    )*};
    (shared $(#[doc = $doc:literal])* $Words:ident as $name:literal [$open:tt] $($word:literal)*) => {
        impl $Words {
            pub(crate) const SHAPE: &'static $crate::core::declare::model::shape::WordsShape = &$crate::core::declare::model::shape::WordsShape {
                #[cfg(feature = "std")] name: $name,
                #[cfg(feature = "std")] doc: &[$($doc),*],
                words: &[$($word),*],
                #[cfg(feature = "std")] open: $open,
            };
        }

        impl $crate::core::declare::model::member::Shaped for $Words {
            const SHAPE: $crate::core::declare::model::shape::ValueShape = $crate::core::declare::model::shape::ValueShape::Words($Words::SHAPE);
        }

        $crate::core::declare::serde_impls! { $Words: |word, serializer| {
            serializer.serialize_str(word.as_str())
        } |deserializer| {
            let named = |text: &str| words!(@named $open text);
            $crate::core::declare::model::from_json::deserialize_word(deserializer, $Words::SHAPE, named)
        } }
    };
    (@named true $text:ident) => { Some(Self::from($text)) };
    (@named false $text:ident) => { Self::ALL.iter().copied().find(|word| word.as_str() == $text) };
}

pub(crate) use {model, words};
