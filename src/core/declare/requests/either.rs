//! Declared members of requests that have one of several types.

/// The part of [`requests!`](super::requests) for these members.
macro_rules! declared_either {
    (@alternatives $(
        $(#[doc = $doc:literal])*
        $Either:ident as $name:literal $(with $check:ident)? {
            $($(#[doc = $variant_doc:literal])* $Variant:ident($Type:ty) = $label:literal $([$($rules:tt)*])?,)*
        }
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $Either {
            $($(#[doc = $variant_doc])* $Variant($Type),)*
        }

        const _: () = {
            use $crate::core::request::{Diagnostics, Field, Typed, table, tagged};

            const ROWS: &[table::MemberRow] = &[$($crate::core::declare::requests!(@row [$($variant_doc),*] $Variant [$label] $Type, [$($($rules)*)?])),*];
            enum Number { $($Variant),* }

            impl Field for $Either {
                fn read(&mut self, value: $crate::json::Value, diagnostics: &mut Diagnostics) {
                    let mut tried = diagnostics.branch();
                    $({
                        let mut found = <$Type as Typed>::blank();
                        if tagged::try_variant(&ROWS[Number::$Variant as usize], &mut found, &value, &mut tried) {
                            *self = Self::$Variant(found);
                            return;
                        }
                    })*
                    diagnostics.absorb(tried);
                }

                fn write(&self, out: &mut alloc::string::String, compact: bool) {
                    match self {
                        $(Self::$Variant(value) => Field::write(value, out, compact),)*
                    }
                }

                fn check(&self, diagnostics: &mut Diagnostics) {
                    $(self.$check(diagnostics);)?
                    match self {
                        $(Self::$Variant(value) => value.check(diagnostics),)*
                    }
                }
            }

            impl Typed for $Either {
                const SHAPE: table::Shape =
                    table::Shape::Either(&table::EitherRow { name: $name, doc: &[$($doc),*], members: ROWS });

                #[allow(unreachable_code, reason = "the first of them")]
                fn blank() -> Self {
                    $(return Self::$Variant(Typed::blank());)*
                }
            }
        };

        $crate::core::declare::requests! { @serialize $Either }
    )*};
}
pub(crate) use declared_either;
