//! Declared unions: objects that are identified by a tag.

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

        impl $crate::core::declare::model::member::Object for $Union {
            fn member(&mut self, key: $crate::core::sink::Key) -> Option<&mut dyn $crate::core::declare::model::member::Member> {
                match self {
                    $(Self::$Variant(object) => object.member(key),)*
                }
            }

            fn find(
                &mut self,
                way: &[$crate::core::declare::model::member::Step],
                key: $crate::core::sink::Key,
            ) -> Option<&mut dyn $crate::core::declare::model::member::Member> {
                match self {
                    $(Self::$Variant(object) => object.find(way, key),)*
                }
            }

            fn write(&self, out: &mut alloc::string::String, writing: $crate::core::declare::model::member::Writing) {
                let mut object = $crate::json::Object::open(out, writing.compact);
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
            fn of_kind(kind: $crate::core::sink::Kind) -> Self {
                $(if kind == $Object::KIND {
                    return Self::$Variant(Default::default());
                })*
                unreachable!("a fold opens no other object here")
            }
        }

        impl $crate::core::declare::model::member::Shaped for $Union {
            const SHAPE: $crate::core::declare::model::shape::Shape = $crate::core::declare::model::shape::Shape::Union($Union::SHAPE);
        }

        $crate::core::declare::serde_impls! { $Union: |object, serializer| {
            $crate::core::declare::model::member::serialize(object, serializer)
        } |deserializer| {
            $crate::core::declare::model::from_json::deserialize(
                deserializer,
                &MODEL,
                &$crate::core::declare::model::shape::Shape::Union($Union::SHAPE),
                <Self as $crate::core::declare::model::member::OfKind>::of_kind,
            )
        } }
    )*};
}
pub(crate) use unions;
