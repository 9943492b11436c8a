//! Declared objects of which some members depend on an open tag.

/// Declares an object of which some members depend on an open tag: a struct of the others, an enum of those, and the
/// list of the tags. An undeclared tag is kept by its name, and its members are kept as undeclared ones.
macro_rules! tagged {
    ($(
        $(#[doc = $doc:literal])* $Object:ident as $name:literal by $tag:ident { $($members:tt)* }
        $(#[doc = $payload_doc:literal])* $Payload:ident {$(
            $(#[doc = $variant_doc:literal])* $Variant:ident as $Shape:ident = $word:literal {$(
                $(#[doc = $member_doc:literal])* $member:ident: $Type:ty $(= $given:tt)?
            ),* $(,)?}
        )*}
        $(#[doc = $words_doc:literal])* $Words:ident as $words_name:literal
    )*) => {$(
        object! {
            $(#[doc = $doc])* $Object as $name
            [
                /// What it holds.
                pub payload: $Payload,
                /// Members the protocol does not declare, verbatim.
                pub extra: alloc::vec::Vec<$crate::json::Member>
            ] [extra] [payload]
            { $($members)* }
        }

        impl $Object {
            fn tag(&self) -> &str {
                self.payload.tag()
            }

            pub(crate) const UNION: &'static $crate::core::declare::model::shape::UnionShape = &$crate::core::declare::model::shape::UnionShape {
                #[cfg(feature = "std")] name: $name,
                #[cfg(feature = "std")] doc: &[$($doc),*],
                tag: $crate::core::declare::model::shape::wire_name(stringify!($tag)),
                variants: &[$(($word, $Shape::SHAPE)),*],
                other: Some($Object::SHAPE),
            };
        }

        impl $crate::core::declare::model::member::OfKind for $Object {
            fn of_kind(kind: $crate::core::sink::Kind) -> Self {
                $Object { payload: $Payload::of_kind(kind), ..Default::default() }
            }
        }

        $(#[doc = $payload_doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $Payload {
            $($(#[doc = $variant_doc])* $Variant { $($(#[doc = $member_doc])* $member: $Type,)* },)*
            /// A type this version does not know; its members are in `extra`.
            Other {
                /// The type's name.
                $tag: alloc::string::String,
            },
        }

        impl $Payload {
            /// Creates an empty payload of a type.
            pub fn empty(kind: &$Words) -> Self {
                match kind {
                    $Words::Other(name) => $Payload::Other { $tag: name.clone() },
                    known => Self::of_kind(known.kind()),
                }
            }

            fn of_kind(kind: $crate::core::sink::Kind) -> Self {
                $(if kind == $Shape::KIND {
                    return $Payload::$Variant { $($member: <$Type>::default()),* };
                })*
                $Payload::Other { $tag: alloc::string::String::new() }
            }

            /// Returns its type, as in JSON.
            pub fn tag(&self) -> &str {
                match self {
                    $($Payload::$Variant { .. } => $word,)*
                    $Payload::Other { $tag: name } => name,
                }
            }

            pub(crate) fn member(&mut self, key: $crate::core::sink::Key) -> Option<&mut dyn $crate::core::declare::model::member::Member> {
                match self {
                    $($Payload::$Variant { $($member),* } => {
                        $(if key == $Shape::$member {
                            return Some($member);
                        })*
                    })*
                    $Payload::Other { $tag: name } => {
                        if key == $Object::$tag {
                            return Some(name);
                        }
                    }
                }
                None
            }

            pub(crate) fn write_members(
                &self,
                object: &mut $crate::json::Object<'_>,
                writing: $crate::core::declare::model::member::Writing,
            ) {
                match self {
                    $($Payload::$Variant { $($member),* } => {
                        $($crate::core::declare::model::member::write_member(
                            $crate::json::member_key!(stringify!($member)), $member, object, writing,
                        );)*
                    })*
                    $Payload::Other { .. } => {}
                }
            }
        }

        impl Default for $Payload {
            fn default() -> Self {
                Self::empty(&$Words::default())
            }
        }

        $(
            #[derive(Debug)]
            pub(crate) struct $Shape;

            #[allow(non_upper_case_globals, dead_code)]
            impl $Shape {
                pub(crate) const KIND: $crate::core::sink::Kind = $crate::core::sink::Kind(ObjectNumber::$Shape as u8);
                $(pub(crate) const $member: $crate::core::sink::Key = MODEL.key_of(stringify!($member));)*
                pub(crate) const SHAPE: &'static $crate::core::declare::model::shape::ObjectShape =
                    &$crate::core::declare::model::shape::ObjectShape {
                        kind: ObjectNumber::$Shape as u8,
                        #[cfg(feature = "std")] name: stringify!($Shape),
                        #[cfg(feature = "std")] doc: &[$($variant_doc),*],
                        base: Some($Object::SHAPE),
                        members: &[$($crate::core::declare::model::shape::MemberShape {
                            name: stringify!($member),
                            #[cfg(feature = "std")] doc: &[$($member_doc),*],
                            shape: object!(@shape $Type, $($given)?),
                            start: "",
                        }),*],
                        #[cfg(feature = "std")] open: false,
                    };
            }
        )*

        words! { open $(#[doc = $words_doc])* $Words as $words_name {
            $($(#[doc = $variant_doc])* $Variant = $word,)*
        } }

        impl $Words {
            /// The members that only objects with this tag have.
            #[allow(dead_code, reason = "for protocols whose objects get another tag")]
            pub(crate) const fn members(&self) -> &'static [$crate::core::sink::Key] {
                match self {
                    $($Words::$Variant => &[$($Shape::$member),*],)*
                    $Words::Other(_) => &[],
                }
            }

            /// Returns the kind of the objects with this tag.
            pub(crate) const fn kind(&self) -> $crate::core::sink::Kind {
                match self {
                    $($Words::$Variant => $Shape::KIND,)*
                    $Words::Other(_) => $Object::KIND,
                }
            }
        }
    )*};
}
pub(crate) use tagged;
