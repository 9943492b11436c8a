//! Answers, declared: Rust types whose members a sink finds by number.

/// Declares a protocol's answer.
///
/// ```text
/// model! {
///     words {
///         /// How far a turn has come.
///         Status as "TurnStatus" { Streaming = "streaming", Completed = "completed" }
///     }
///     root {
///         /// The turn so far.
///         Snapshot as "Turn" { status: Status, parts: Vec<Part> }
///     }
///     objects {
///         /// Text.
///         TextPart as "TextPart" { text: String }
///     }
///     unions {
///         /// One part of a turn.
///         Part as "Part" by "type" { Text(TextPart) = "text" }
///     }
/// }
/// ```
///
/// Makes these types, `MODEL`, which says what they look like, and for each object its number for a fold
/// (`TextPart::KIND`) and those of its members (`TextPart::text`). An object starts with the first word of each list, empty
/// texts and null. A member that is written `name [absent]: Option<String>` is not there at all before it is set.
macro_rules! model {
    (
        words { $($words:tt)* }
        root { $($root:tt)* }
        objects { $($objects:tt)* }
        unions { $($unions:tt)* }
    ) => {
        model! { @words $($words)* }
        model! { @root $($root)* }
        model! { @objects $($objects)* }
        model! { @unions $($unions)* }
        model! { @model [$($words)*] [$($root)* $($objects)*] [$($unions)*] }
    };
    (@words $($(#[doc = $doc:literal])* $Words:ident as $name:literal {
        $($(#[doc = $word_doc:literal])* $Word:ident = $word:literal),* $(,)?
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[non_exhaustive]
        pub enum $Words {
            $($(#[doc = $word_doc])* #[cfg_attr(feature = "serde", serde(rename = $word))] $Word,)*
        }

        impl $Words {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$Word),*];

            const SHAPE: &'static $crate::core::declare::shape::WordsShape = &$crate::core::declare::shape::WordsShape {
                #[cfg(feature = "std")] name: $name,
                #[cfg(feature = "std")] doc: &[$($doc),*],
                words: &[$($word),*],
            };

            /// Stable name, as it stands in JSON.
            pub const fn as_str(self) -> &'static str {
                Self::SHAPE.words[self as usize]
            }

            /// As a value that a fold gives its sink.
            pub(crate) const fn value(self) -> $crate::core::sink::SinkValue<'static> {
                $crate::core::sink::SinkValue::Word(MODEL.first_word(Number::$Words as u8) + self as u8)
            }

            /// The word that a value is.
            pub(crate) fn of(value: $crate::core::sink::SinkValue<'_>) -> Option<Self> {
                match value {
                    $crate::core::sink::SinkValue::Word(word) => {
                        let at = word.checked_sub(MODEL.first_word(Number::$Words as u8))?;
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

        impl $crate::core::declare::member::Member for $Words {
            fn set(&mut self, value: $crate::core::sink::SinkValue<'_>) {
                *self = Self::of(value).unwrap_or_default();
            }

            fn write(&self, out: &mut alloc::string::String) {
                $crate::json::write_string(self.as_str(), out);
            }
        }

        impl $crate::core::declare::member::Shaped for $Words {
            const SHAPE: $crate::core::declare::shape::Shape = $crate::core::declare::shape::Shape::Words($Words::SHAPE);
        }
    )*
    /// The numbers of the lists of words.
    #[allow(dead_code)]
    enum Number { $($Words),* }
    };
    (@objects $($(#[doc = $doc:literal])* $Object:ident as $name:literal { $($members:tt)* })*) => {
        $(model! { @object [] $(#[doc = $doc])* $Object as $name { $($members)* } })*
    };
    (@root $(#[doc = $doc:literal])* $Object:ident as $name:literal { $($members:tt)* }) => {
        model! {
            @object [#[cfg_attr(feature = "serde", serde(skip))] nodes: $crate::core::declare::store::Nodes]
            $(#[doc = $doc])* $Object as $name { $($members)* }
        }

        impl $crate::core::declare::store::Root for $Object {
            fn nodes(&mut self) -> &mut $crate::core::declare::store::Nodes {
                &mut self.nodes
            }
        }

        impl $crate::core::answer::Answer for $Object {
            fn answer_json(&self) -> alloc::string::String {
                self.to_json()
            }
        }

        /// The tables that a reader of the patch needs, as JSON.
        pub fn patch_schema() -> alloc::string::String {
            MODEL.patch_schema()
        }

        impl $Object {
            /// The answer as JSON, members as TypeScript declares them.
            pub fn to_json(&self) -> alloc::string::String {
                $crate::core::declare::member::object_to_json(self)
            }
        }
    };
    (@object [$($nodes:tt)*] $(#[doc = $doc:literal])* $Object:ident as $name:literal {
        $($(#[doc = $member_doc:literal])* $member:ident $(as $wire:literal)? $([$absent:ident])?: $Type:ty),* $(,)?
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[non_exhaustive]
        pub struct $Object {
            $(
                $(#[doc = $member_doc])*
                $(#[cfg_attr(feature = "serde", serde(rename = $wire))])?
                $(#[cfg_attr(feature = "serde", serde(skip_serializing_if = model!(@skip $absent)))])?
                pub $member: $Type,
            )*
            $($nodes)*
        }

        const _: () = {
            #[allow(non_camel_case_types)]
            enum Place { $($member),* }

            #[allow(non_upper_case_globals, dead_code)]
            impl $Object {
                pub(crate) const KIND: $crate::core::sink::Kind = $crate::core::sink::Kind(ObjectNumber::$Object as u8);
                $(
                    pub(crate) const $member: $crate::core::sink::Key = $crate::core::sink::Key(
                        MODEL.first_key(ObjectNumber::$Object as u8) + Place::$member as u8,
                    );
                )*
                pub(crate) const SHAPE: &'static $crate::core::declare::shape::ObjectShape =
                    &$crate::core::declare::shape::ObjectShape {
                        kind: ObjectNumber::$Object as u8,
                        #[cfg(feature = "std")] name: $name,
                        #[cfg(feature = "std")] doc: &[$($doc),*],
                        members: &[$($crate::core::declare::shape::MemberShape {
                            name: model!(@name $member $($wire)?),
                            #[cfg(feature = "std")] doc: &[$($member_doc),*],
                            is_absent: model!(@is_absent $($absent)?),
                            shape: <$Type as $crate::core::declare::member::Shaped>::SHAPE,
                        }),*],
                    };

                pub(crate) fn write_members(&self, object: &mut $crate::json::Object<'_>) {
                    $(if !model!(@is_absent $($absent)?) || $crate::core::declare::member::Member::is_present(&self.$member) {
                        $crate::core::declare::member::Member::write(&self.$member, object.member(model!(@name $member $($wire)?)));
                    })*
                }
            }
        };

        impl $crate::core::declare::member::Object for $Object {
            fn member(&mut self, key: $crate::core::sink::Key) -> Option<&mut dyn $crate::core::declare::member::Member> {
                $(if key == Self::$member {
                    return Some(&mut self.$member);
                })*
                None
            }

            fn write(&self, out: &mut alloc::string::String) {
                let mut object = $crate::json::Object::open(out, false);
                self.write_members(&mut object);
                object.close();
            }
        }

        /// As a member: the object itself.
        impl $crate::core::declare::member::Member for $Object {
            fn set(&mut self, value: $crate::core::sink::SinkValue<'_>) {
                *self = Self::default();
                $crate::core::declare::member::set_members(self, value, Self::KIND, &MODEL);
            }

            fn child(&mut self, _: usize) -> Option<&mut dyn $crate::core::declare::member::Object> {
                Some(self)
            }

            fn write(&self, out: &mut alloc::string::String) {
                $crate::core::declare::member::Object::write(self, out);
            }
        }

        impl $crate::core::declare::member::Shaped for $Object {
            const SHAPE: $crate::core::declare::shape::Shape = $crate::core::declare::shape::Shape::Object($Object::SHAPE);
        }

        impl $crate::core::declare::member::OfKind for $Object {
            fn of_kind(_: $crate::core::sink::Kind) -> Self {
                Self::default()
            }
        }
    };
    (@unions $($(#[doc = $doc:literal])* $Union:ident as $name:literal by $tag:literal {
        $($(#[doc = $variant_doc:literal])* $Variant:ident($Object:ident) = $word:literal),* $(,)?
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize), serde(tag = $tag))]
        #[non_exhaustive]
        pub enum $Union {
            $($(#[doc = $variant_doc])* #[cfg_attr(feature = "serde", serde(rename = $word))] $Variant($Object),)*
        }

        impl $Union {
            pub(crate) const SHAPE: &'static $crate::core::declare::shape::UnionShape = &$crate::core::declare::shape::UnionShape {
                #[cfg(feature = "std")] name: $name,
                #[cfg(feature = "std")] doc: &[$($doc),*],
                tag: $tag,
                variants: &[$(($word, $Object::SHAPE)),*],
            };
        }

        impl $crate::core::declare::member::Object for $Union {
            fn member(&mut self, key: $crate::core::sink::Key) -> Option<&mut dyn $crate::core::declare::member::Member> {
                match self {
                    $(Self::$Variant(object) => object.member(key),)*
                }
            }

            fn write(&self, out: &mut alloc::string::String) {
                let mut object = $crate::json::Object::open(out, false);
                match self {
                    $(Self::$Variant(inner) => {
                        object.string($tag, Some($word));
                        inner.write_members(&mut object);
                    })*
                }
                object.close();
            }
        }

        impl $crate::core::declare::member::OfKind for $Union {
            fn of_kind(kind: $crate::core::sink::Kind) -> Self {
                $(if kind == $Object::KIND {
                    return Self::$Variant(Default::default());
                })*
                unreachable!("a fold opens no other object here")
            }
        }

        impl $crate::core::declare::member::Shaped for $Union {
            const SHAPE: $crate::core::declare::shape::Shape = $crate::core::declare::shape::Shape::Union($Union::SHAPE);
        }
    )*};
    (@model
        [$($(#[doc = $words_doc:literal])* $Words:ident as $words_name:literal { $($words:tt)* })*]
        [$($(#[doc = $doc:literal])* $Object:ident as $name:literal { $($members:tt)* })*]
        [$($(#[doc = $union_doc:literal])* $Union:ident as $union_name:literal by $tag:literal { $($variants:tt)* })*]
    ) => {
        /// What the answer looks like.
        pub static MODEL: $crate::core::declare::shape::Model = $crate::core::declare::shape::Model {
            objects: &[$($Object::SHAPE),*],
            unions: &[$($Union::SHAPE),*],
            words: &[$($Words::SHAPE),*],
        };

        /// The numbers of the objects.
        enum ObjectNumber { $($Object),* }
    };
    (@is_absent) => { false };
    (@is_absent absent) => { true };
    (@skip absent) => { "Option::is_none" };
    (@name $member:ident) => { stringify!($member) };
    (@name $member:ident $wire:literal) => { $wire };
}
pub(crate) use model;
