//! Declared unions of requests: those whose variants are identified by a member, and members that have one of several
//! types.

/// The part of [`requests!`](super::requests) for unions.
macro_rules! declared_union {
    (@unions $(
        $(#[doc = $doc:literal])*
        $Union:ident as $name:literal by $tag:literal $(else $Fallback:ident)? $(with $check:ident)? {
            $($(#[doc = $variant_doc:literal])* $Variant:ident = $word:literal {
                $(
                    $(#[doc = $member_doc:literal])*
                    $member:ident $(as $wire:literal)?: $Type:ty $([$($rules:tt)*])?,
                )*
            })*
        }
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $Union {
            $($(#[doc = $variant_doc])* $Variant { $($(#[doc = $member_doc])* $member: $Type,)* },)*
        }

        $crate::core::declare::requests::union::declared_union! { @tagged [$($doc),*] $Union as $name by $tag [$($Fallback)?] [$($check)?] [""] {
            $($Variant = $word { $($(#[doc = $member_doc])* $member [$($wire)?] $Type, [$($($rules)*)?])* })*
        } }

        $crate::core::declare::requests! {
            @typed $Union, $crate::core::request::tagged::read, $crate::core::request::tagged::write,
            $crate::core::request::object::check, blank, $crate::core::request::table::Shape::Union(Self::ROW)
        }
        $crate::core::declare::requests! { @serialize $Union }
    )*};
    // Unions whose members are among those of an object; undeclared variants also have a name.
    (@existing_unions $(
        $(#[doc = $doc:literal])*
        $Union:ident as $name:literal by $tag:literal or $Other:ident($other:ident) {
            $($Variant:ident = $word:literal {
                $($member:ident: $Type:ty $([$($rules:tt)*])?,)*
            })*
        }
    )*) => {$(
        $crate::core::declare::requests::union::declared_union! { @tagged [$($doc),*] $Union as $name by $tag [] [] [match this { $Union::$Other { $other } => $other, _ => "" }; this] {
            $($Variant = $word { $($member [] $Type, [$($($rules)*)?])* })*
        } }
    )*};
    (@tagged [$($doc:literal),*] $Union:ident as $name:literal by $tag:literal [$($Fallback:ident)?] [$($check:ident)?]
        [$other:expr $(; $this:ident)?] {
        $($Variant:ident = $word:literal {
            $($(#[doc = $member_doc:literal])* $member:ident [$($wire:literal)?] $Type:ty, [$($rules:tt)*])*
        })*
    }) => {
        const _: () = {
            use $crate::core::request::{Field, Typed, object, table, tagged};

            enum Number { $($Variant),* }
            impl tagged::Tagged for $Union {
                fn row(&self) -> &'static table::UnionRow {
                    Self::ROW
                }

                fn start(&mut self, variant: usize) {
                    $(if variant == Number::$Variant as usize {
                        *self = Self::$Variant { $($member: <$Type as Typed>::blank()),* };
                    })*
                }

                fn variant(&self) -> Option<usize> {
                    #[allow(unreachable_patterns, reason = "unions that exist already have variants for what is not declared")]
                    match self {
                        $(Self::$Variant { .. } => Some(Number::$Variant as usize),)*
                        _ => None,
                    }
                }

                fn name(&self) -> &str {
                    match self.variant() {
                        Some(variant) => Self::ROW.names[variant],
                        None => { $(let $this = self;)? $other }
                    }
                }
            }

            impl object::Object for $Union {
                fn rows(&self) -> &'static [table::MemberRow] {
                    tagged::Tagged::variant(self).map_or(&[], |variant| Self::ROW.members[variant])
                }

                fn fields(&self) -> Vec<&dyn Field> {
                    #[allow(unreachable_patterns, reason = "as above")]
                    match self {
                        $(Self::$Variant { $($member),* } => alloc::vec![$($member),*],)*
                        _ => Vec::new(),
                    }
                }

                fn fields_mut(&mut self) -> Vec<&mut dyn Field> {
                    #[allow(unreachable_patterns, reason = "as above")]
                    match self {
                        $(Self::$Variant { $($member),* } => alloc::vec![$($member),*],)*
                        _ => Vec::new(),
                    }
                }

                $(
                    fn check(&self, diagnostics: &mut $crate::core::request::Diagnostics) {
                        self.$check(diagnostics);
                    }
                )?
            }

            impl $Union {
                pub(crate) const ROW: &'static table::UnionRow = &table::UnionRow {
                    tag: $tag,
                    names: &[$($word),*],
                    members: &[$(&[$($crate::core::declare::requests!(@row [$($member_doc),*] $member [$($wire)?] $Type, [$($rules)*])),*]),*],
                    fallback: $crate::core::declare::requests!(@option $(Number::$Fallback as usize)?),
                    #[cfg(feature = "std")] name: $name,
                    #[cfg(feature = "std")] doc: &[$($doc),*],
                };

                #[allow(unreachable_code, reason = "the first variant")]
                fn blank() -> Self {
                    $(return Self::$Variant { $($member: <$Type as Typed>::blank()),* };)*
                }
            }
        };
    };
}
pub(crate) use declared_union;

/// The part of [`requests!`](super::requests) for unions whose variants have common members.
macro_rules! unions_with {
    ($(
        $(#[doc = $doc:literal])*
        $Union:ident as $name:literal by $tag:literal { all $all:tt most $most:tt $($variants:tt)* }
    )*) => {$(
        $crate::core::declare::requests::union::unions_with! {
            @next { $(#[doc = $doc])* $Union as $name by $tag } $all $most [] $($variants)*
        }
    )*};
    (@next { $($head:tt)* } $all:tt $most:tt [$($done:tt)*]) => {
        $crate::core::declare::requests::union::declared_union! { @unions $($head)* { $($done)* } }
    };
    (@next $head:tt { $($all:tt)* } { $($most:tt)* } [$($done:tt)*]
        $(#[doc = $doc:literal])* $Variant:ident = $word:literal most { $($own:tt)* } $($rest:tt)*
    ) => {
        $crate::core::declare::requests::union::unions_with! {
            @next $head { $($all)* } { $($most)* }
            [$($done)* $(#[doc = $doc])* $Variant = $word { $($own)* $($most)* $($all)* }] $($rest)*
        }
    };
    (@next $head:tt { $($all:tt)* } $most:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Variant:ident = $word:literal { $($own:tt)* } $($rest:tt)*
    ) => {
        $crate::core::declare::requests::union::unions_with! {
            @next $head { $($all)* } $most [$($done)* $(#[doc = $doc])* $Variant = $word { $($own)* $($all)* }] $($rest)*
        }
    };
}
pub(crate) use unions_with;

/// The part of [`requests!`](super::requests) for members that have one of several types.
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
