//! Declared objects: structs whose members a sink finds by number.

/// Declares the struct of an object: its members, and in brackets its additional fields, the field
/// for undeclared members, and the field whose variants have further members.
macro_rules! object {
    (
        $(#[doc = $doc:literal])* $Object:ident as $name:literal
        [$($(#[doc = $more_doc:literal])* $vis:vis $more:ident: $More:ty),*] [$($extra:ident)?] [$($payload:ident)?]
        {$(
            $(#[doc = $member_doc:literal])*
            $member:ident $(as $wire:literal)?: $Type:ty $(= $start:tt)? $(=> $fixed:ident = $value:tt)?
        ),* $(,)?}
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone)]
        #[non_exhaustive]
        pub struct $Object {
            $($(#[doc = $member_doc])* pub $member: $Type,)*
            $($(#[doc = $more_doc])* $vis $more: $More,)*
        }

        /// Compares the members: an answer also has the positions of its objects, which follow
        /// from the events and not from the members.
        impl PartialEq for $Object {
            fn eq(&self, other: &Self) -> bool {
                true $(&& self.$member == other.$member)*
                    $(&& self.$payload == other.$payload)?
                    $(&& self.$extra == other.$extra)?
            }
        }

        /// The members that are present.
        impl core::fmt::Debug for $Object {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let mut shown = f.debug_struct(stringify!($Object));
                $(if !$crate::core::declare::model::member::DeclaredMember::is_absent(&self.$member) {
                    shown.field(stringify!($member).trim_start_matches("r#"), &self.$member);
                })*
                $(shown.field(stringify!($payload), &self.$payload);)?
                $(if !self.$extra.is_empty() {
                    shown.field(stringify!($extra), &self.$extra);
                })?
                shown.finish()
            }
        }

        const _: () = {
            #[allow(non_upper_case_globals, dead_code)]
            impl $Object {
                pub(crate) const KIND: $crate::core::sink::ObjectKind = $crate::core::sink::ObjectKind(ObjectNumber::$Object as u8);
                $(
                    pub(crate) const $member: $crate::core::sink::Field = MODEL.key_of(object!(@name $member $($wire)?));
                    $(pub(crate) const $fixed: $crate::core::sink::Field = MODEL.key_of(object!(@name $fixed));)?
                )*
                pub(crate) const SHAPE: &'static $crate::core::declare::model::shape::ObjectShape =
                    &$crate::core::declare::model::shape::ObjectShape {
                        kind: ObjectNumber::$Object as u8,
                        #[cfg(feature = "std")] name: $name,
                        #[cfg(feature = "std")] doc: &[$($doc),*],
                        base: None,
                        members: &[$(
                            $crate::core::declare::model::shape::MemberShape {
                                name: object!(@name $member $($wire)?),
                                #[cfg(feature = "std")] doc: &[$($member_doc),*],
                                shape: object!(@shape $Type, $($start)?),
                                start: object!(@start $($start)?),
                            },
                            $($crate::core::declare::model::shape::MemberShape {
                                name: object!(@name $fixed),
                                #[cfg(feature = "std")] doc: &[],
                                shape: object!(@fixed $value),
                                start: "",
                            },)?
                        )*],
                        #[cfg(feature = "std")] open: object!(@is_open $($extra)?),
                    };

                #[allow(unused_variables)]
                pub(crate) fn write_members(
                    &self,
                    object: &mut $crate::json::ObjectWriter<'_>,
                    writing: $crate::core::declare::model::member::Writing,
                ) {
                    $(
                        $crate::core::declare::model::member::write_member(
                            $crate::json::member_key!(object!(@name $member $($wire)?)), &self.$member, object, writing,
                        );
                        $(object!(@write self object writing object!(@name $fixed), $value);)?
                    )*
                    $(self.$payload.write_members(object, writing);)?
                    $($crate::core::declare::model::member::write_extra(&self.$extra, object);)?
                }
            }
        };

        impl Default for $Object {
            fn default() -> Self {
                #[allow(unused_mut)]
                let mut new = $Object {
                    $($member: <$Type>::default(),)*
                    $($more: <$More>::default(),)*
                };
                $(object!(@begin new $member $Type, $($start)?);)*
                new
            }
        }

        impl $crate::core::declare::model::member::DeclaredObject for $Object {
            fn member(&mut self, key: $crate::core::sink::Field) -> Option<&mut dyn $crate::core::declare::model::member::DeclaredMember> {
                $(if key == Self::$member {
                    return Some(&mut self.$member);
                })*
                $(if key == $crate::core::declare::model::member::EXTRA {
                    return Some(&mut self.$extra);
                })?
                $(return self.$payload.member(key);)?
                #[allow(unreachable_code)]
                None
            }

            #[allow(unused_variables)]
            fn find(
                &mut self,
                way: &[$crate::core::declare::model::member::ModelPathStep],
                key: $crate::core::sink::Field,
            ) -> Option<&mut dyn $crate::core::declare::model::member::DeclaredMember> {
                let Some((step, way)) = way.split_last() else { return self.member(key) };
                $(if step.list == Self::$member {
                    return $crate::core::declare::model::member::DeclaredMember::inside(&mut self.$member, step.at, way, key);
                })*
                None
            }

            fn write(&self, out: &mut alloc::string::String, writing: $crate::core::declare::model::member::Writing) {
                let mut object = $crate::json::ObjectWriter::open(out, writing.compact);
                self.write_members(&mut object, writing);
                object.close();
            }
        }

        /// The object as a member.
        impl $crate::core::declare::model::member::DeclaredMember for $Object {
            fn set(&mut self, value: $crate::core::sink::FieldValue<'_>) {
                *self = Self::default();
                $crate::core::declare::model::member::set_members(self, value, &MODEL);
            }

            fn inside(
                &mut self,
                _: u32,
                way: &[$crate::core::declare::model::member::ModelPathStep],
                key: $crate::core::sink::Field,
            ) -> Option<&mut dyn $crate::core::declare::model::member::DeclaredMember> {
                $crate::core::declare::model::member::DeclaredObject::find(self, way, key)
            }

            fn write(&self, out: &mut alloc::string::String, writing: $crate::core::declare::model::member::Writing) {
                $crate::core::declare::model::member::DeclaredObject::write(self, out, writing);
            }
        }

        impl $crate::core::declare::model::member::Shaped for $Object {
            const SHAPE: $crate::core::declare::model::shape::ValueShape = $crate::core::declare::model::shape::ValueShape::Object($Object::SHAPE);
        }

        $crate::core::declare::serde_impls! { $Object: |object, serializer| {
            $crate::core::declare::model::member::serialize(object, serializer)
        } |deserializer| {
            $crate::core::declare::model::from_json::deserialize(
                deserializer, &MODEL, &$crate::core::declare::model::shape::ValueShape::Object($Object::SHAPE), object!(@new $($payload)?),
            )
        } }
    };
    (@new) => { |_| Self::default() };
    (@new $payload:ident) => { <Self as $crate::core::declare::model::member::OfKind>::of_kind };
    (@name $member:ident) => { $crate::core::declare::model::shape::wire_name(stringify!($member)) };
    (@name $member:ident $wire:literal) => { $wire };
    (@shape $Type:ty, object) => {
        $crate::core::declare::model::shape::ValueShape::Nullable(&$crate::core::declare::model::shape::ValueShape::JsonObject)
    };
    (@shape $Type:ty, $($start:literal)?) => { <$Type as $crate::core::declare::model::member::Shaped>::SHAPE };
    (@fixed tag) => { $crate::core::declare::model::shape::ValueShape::Tag };
    (@fixed $json:literal) => { $crate::core::declare::model::shape::ValueShape::Fixed(stringify!($json)) };
    (@is_open) => { false };
    (@is_open $extra:ident) => { true };
    (@start) => { "" };
    (@start $text:literal) => { $text };
    (@begin $new:ident $member:ident $Type:ty, ) => {};
    (@begin $new:ident $member:ident $Type:ty, $start:literal) => { $new.$member = <$Type>::from($start) };
    (@write $self:ident $object:ident $writing:ident $name:expr, tag) => {
        $crate::json::write_string($self.tag(), $object.declared($crate::json::member_key!($name)))
    };
    (@write $self:ident $object:ident $writing:ident $name:expr, false) => {
        $object.declared(if $writing.is_piece {
            $crate::json::member_key!($name, "true")
        } else {
            $crate::json::member_key!($name, "false")
        })
    };
    (@write $self:ident $object:ident $writing:ident $name:expr, $text:literal) => {
        $object.declared($crate::json::member_key!($name, stringify!($text)))
    };
}

// Declared unions: objects that are identified by a tag.

/// Declares a union of declared objects.
macro_rules! unions {
    ($($(#[doc = $doc:literal])* $Union:ident as $name:literal by $tag:literal {
        $($(#[doc = $variant_doc:literal])* $Variant:ident($Object:ident) = $word:literal),* $(,)?
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $Union {
            $($(#[doc = $variant_doc])* $Variant($Object),)*
        }

        impl $Union {
            pub(crate) const SHAPE: &'static $crate::core::declare::model::shape::UnionShape = &$crate::core::declare::model::shape::UnionShape {
                #[cfg(feature = "std")] name: $name,
                #[cfg(feature = "std")] doc: &[$($doc),*],
                tag: $tag,
                variants: &[$(($word, $Object::SHAPE)),*],
                other: None,
            };
        }

        impl $crate::core::declare::model::member::DeclaredObject for $Union {
            fn member(&mut self, key: $crate::core::sink::Field) -> Option<&mut dyn $crate::core::declare::model::member::DeclaredMember> {
                match self {
                    $(Self::$Variant(object) => object.member(key),)*
                }
            }

            fn find(
                &mut self,
                way: &[$crate::core::declare::model::member::ModelPathStep],
                key: $crate::core::sink::Field,
            ) -> Option<&mut dyn $crate::core::declare::model::member::DeclaredMember> {
                match self {
                    $(Self::$Variant(object) => object.find(way, key),)*
                }
            }

            fn write(&self, out: &mut alloc::string::String, writing: $crate::core::declare::model::member::Writing) {
                let mut object = $crate::json::ObjectWriter::open(out, writing.compact);
                match self {
                    $(Self::$Variant(inner) => {
                        object.declared($crate::json::member_key!($tag, concat!("\"", $word, "\"")));
                        inner.write_members(&mut object, writing);
                    })*
                }
                object.close();
            }
        }

        impl $crate::core::declare::model::member::OfKind for $Union {
            fn of_kind(kind: $crate::core::sink::ObjectKind) -> Self {
                $(if kind == $Object::KIND {
                    return Self::$Variant(Default::default());
                })*
                unreachable!("a fold opens no other object here")
            }
        }

        impl $crate::core::declare::model::member::Shaped for $Union {
            const SHAPE: $crate::core::declare::model::shape::ValueShape = $crate::core::declare::model::shape::ValueShape::Union($Union::SHAPE);
        }

        $crate::core::declare::serde_impls! { $Union: |object, serializer| {
            $crate::core::declare::model::member::serialize(object, serializer)
        } |deserializer| {
            $crate::core::declare::model::from_json::deserialize(
                deserializer,
                &MODEL,
                &$crate::core::declare::model::shape::ValueShape::Union($Union::SHAPE),
                <Self as $crate::core::declare::model::member::OfKind>::of_kind,
            )
        } }
    )*};
}

// Declared objects of which some members depend on an open tag.

/// Declares an object of which some members depend on an open tag: a struct of the others, an enum
/// of those, and the list of the tags. An undeclared tag is kept by its name, and its members are
/// kept as undeclared ones.
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
                /// The content.
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
            fn of_kind(kind: $crate::core::sink::ObjectKind) -> Self {
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

            fn of_kind(kind: $crate::core::sink::ObjectKind) -> Self {
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

            pub(crate) fn member(&mut self, key: $crate::core::sink::Field) -> Option<&mut dyn $crate::core::declare::model::member::DeclaredMember> {
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
                object: &mut $crate::json::ObjectWriter<'_>,
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
                pub(crate) const KIND: $crate::core::sink::ObjectKind = $crate::core::sink::ObjectKind(ObjectNumber::$Shape as u8);
                $(pub(crate) const $member: $crate::core::sink::Field = MODEL.key_of(stringify!($member));)*
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
            pub(crate) const fn members(&self) -> &'static [$crate::core::sink::Field] {
                match self {
                    $($Words::$Variant => &[$($Shape::$member),*],)*
                    $Words::Other(_) => &[],
                }
            }

            /// Returns the kind of the objects with this tag.
            pub(crate) const fn kind(&self) -> $crate::core::sink::ObjectKind {
                match self {
                    $($Words::$Variant => $Shape::KIND,)*
                    $Words::Other(_) => $Object::KIND,
                }
            }
        }
    )*};
}

pub(crate) use {object, tagged, unions};
