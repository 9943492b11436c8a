//! Declared objects: structs whose members a sink finds by number.

/// Declares the struct of an object: its members, and in brackets its additional fields, the field for undeclared
/// members, and the field whose variants have further members.
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
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub struct $Object {
            $($(#[doc = $member_doc])* pub $member: $Type,)*
            $($(#[doc = $more_doc])* $vis $more: $More,)*
        }

        const _: () = {
            #[allow(non_upper_case_globals, dead_code)]
            impl $Object {
                pub(crate) const KIND: $crate::core::sink::Kind = $crate::core::sink::Kind(ObjectNumber::$Object as u8);
                $(
                    pub(crate) const $member: $crate::core::sink::Key = MODEL.key_of(object!(@name $member $($wire)?));
                    $(pub(crate) const $fixed: $crate::core::sink::Key = MODEL.key_of(object!(@name $fixed));)?
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
                    object: &mut $crate::json::Object<'_>,
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

        impl $crate::core::declare::model::member::Object for $Object {
            fn member(&mut self, key: $crate::core::sink::Key) -> Option<&mut dyn $crate::core::declare::model::member::Member> {
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
                way: &[$crate::core::declare::model::member::Step],
                key: $crate::core::sink::Key,
            ) -> Option<&mut dyn $crate::core::declare::model::member::Member> {
                let Some((step, way)) = way.split_last() else { return self.member(key) };
                $(if step.list == Self::$member {
                    return $crate::core::declare::model::member::Member::inside(&mut self.$member, step.at, way, key);
                })*
                None
            }

            fn write(&self, out: &mut alloc::string::String, writing: $crate::core::declare::model::member::Writing) {
                let mut object = $crate::json::Object::open(out, writing.compact);
                self.write_members(&mut object, writing);
                object.close();
            }
        }

        /// The object as a member.
        impl $crate::core::declare::model::member::Member for $Object {
            fn set(&mut self, value: $crate::core::sink::SinkValue<'_>) {
                *self = Self::default();
                $crate::core::declare::model::member::set_members(self, value, &MODEL);
            }

            fn inside(
                &mut self,
                _: u32,
                way: &[$crate::core::declare::model::member::Step],
                key: $crate::core::sink::Key,
            ) -> Option<&mut dyn $crate::core::declare::model::member::Member> {
                $crate::core::declare::model::member::Object::find(self, way, key)
            }

            fn write(&self, out: &mut alloc::string::String, writing: $crate::core::declare::model::member::Writing) {
                $crate::core::declare::model::member::Object::write(self, out, writing);
            }
        }

        impl $crate::core::declare::model::member::Shaped for $Object {
            const SHAPE: $crate::core::declare::model::shape::Shape = $crate::core::declare::model::shape::Shape::Object($Object::SHAPE);
        }

        $crate::core::declare::serde_impls! { $Object: |object, serializer| {
            $crate::core::declare::model::member::serialize(object, serializer)
        } |deserializer| {
            $crate::core::declare::model::from_json::deserialize(
                deserializer, &MODEL, &$crate::core::declare::model::shape::Shape::Object($Object::SHAPE), object!(@new $($payload)?),
            )
        } }
    };
    (@new) => { |_| Self::default() };
    (@new $payload:ident) => { <Self as $crate::core::declare::model::member::OfKind>::of_kind };
    (@name $member:ident) => { $crate::core::declare::model::shape::wire_name(stringify!($member)) };
    (@name $member:ident $wire:literal) => { $wire };
    (@shape $Type:ty, object) => {
        $crate::core::declare::model::shape::Shape::Nullable(&$crate::core::declare::model::shape::Shape::JsonObject)
    };
    (@shape $Type:ty, $($start:literal)?) => { <$Type as $crate::core::declare::model::member::Shaped>::SHAPE };
    (@fixed tag) => { $crate::core::declare::model::shape::Shape::Tag };
    (@fixed $json:literal) => { $crate::core::declare::model::shape::Shape::Fixed(stringify!($json)) };
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
pub(crate) use object;
