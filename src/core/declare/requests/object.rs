//! Declared objects of requests.

/// The part of [`requests!`](super::requests) for objects.
macro_rules! declared_object {
    (@objects $(
        $(#[doc = $doc:literal])*
        $Object:ident as $name:literal $(of $class:literal)? $(made by $new:ident)? $(with $check:ident)? { $($members:tt)* }
    )*) => {$(
        $crate::core::declare::requests::object::declared_object! { @new [$($new)?] $Object { $($members)* } }
        $crate::core::declare::requests::object::declared_object! { @struct [#[non_exhaustive]] $(#[doc = $doc])* $Object { $($members)* } }
        $crate::core::declare::requests::object::declared_object! { @object new [$($doc),*] $Object as $name [$($class)?] [$($check)?] { $($members)* } }
        $crate::core::declare::requests! { @serialize $Object }
    )*};
    (@new [] $Object:ident { $($members:tt)* }) => {};
    (@new [$new:ident] $Object:ident {
        $(
            $(#[doc = $member_doc:literal])*
            $member:ident $(as $wire:literal)?: $Type:ty $([$($rules:tt)*])?,
        )*
        $(.. $extra:ident)?
    }) => {
        impl $Object {
            /// Creates an object with only these members.
            pub fn $new($($member: impl Into<$Type>),*) -> Self {
                $Object { $($member: $member.into(),)* $($extra: Vec::new(),)? }
            }
        }
    };
    // Structs without `non_exhaustive`, for struct literals.
    (@payloads $(
        $(#[doc = $doc:literal])*
        $Object:ident as $name:literal of $class:literal { $($members:tt)* }
    )*) => {$(
        $crate::core::declare::requests::object::declared_object! { @struct [#[derive(Default)]] $(#[doc = $doc])* $Object { $($members)* } }
        $crate::core::declare::requests::object::declared_object! { @object new [$($doc),*] $Object as $name [$class] [] { $($members)* } }
        $crate::core::declare::requests! { @serialize $Object }
    )*};
    (@struct [$($meta:tt)*] $(#[doc = $doc:literal])* $Object:ident {
        $(
            $(#[doc = $member_doc:literal])*
            $member:ident $(as $wire:literal)?: $Type:ty $([$($rules:tt)*])? $(= $default:expr)?,
        )*
        $(& $flat:ident: $Flat:ty,)?
        $(.. $extra:ident)?
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        $($meta)*
        pub struct $Object {
            $($(#[doc = $member_doc])* pub $member: $Type,)*
            $(
                /// The variant, by its type. Its members are among those of the object.
                pub $flat: $Flat,
            )?
            $(
                /// Members the protocol does not declare, verbatim and in their order.
                pub $extra: Vec<$crate::json::Member>,
            )?
        }

        impl $Object {
            /// Creates an object with the initial values of absent members.
            fn empty() -> Self {
                $Object {
                    $($member: $crate::core::declare::requests::object::declared_object!(@start $Type $(, $default)?),)*
                    $($flat: <$Flat>::blank(),)?
                    $($extra: Vec::new(),)?
                }
            }
        }
    };
    (@existing $($Object:ident of $class:literal = $empty:expr, { $($members:tt)* })*) => {$(
        impl $Object {
            fn empty() -> Self {
                $empty
            }
        }
        $crate::core::declare::requests::object::declared_object! { @object existing [] $Object as "" [$class] [] { $($members)* } }
    )*};
    (@object $origin:ident [$($doc:literal),*] $Object:ident as $name:literal [$($class:literal)?] [$($check:ident)?] {
        $(
            $(#[doc = $member_doc:literal])*
            $member:ident $(as $wire:literal)?: $Type:ty $([$($rules:tt)*])? $(= $default:expr)?,
        )*
        $(& $flat:ident: $Flat:ty,)?
        $(.. $extra:ident)?
    }) => {
        const _: () = {
            use $crate::core::request::{Field, object, table};

            const ROW: &table::ObjectRow = &table::ObjectRow {
                class: concat!($($class)?),
                members: &[
                    $($crate::core::declare::requests!(@row [$($member_doc),*] $member [$($wire)?] $Type, [$($($rules)*)?]),)*
                ],
                #[cfg(feature = "std")] name: $name,
                #[cfg(feature = "std")] doc: &[$($doc),*],
                #[cfg(feature = "std")] flat: $crate::core::declare::requests!(@option $(<$Flat>::ROW)?),
                #[cfg(feature = "std")] open: $crate::core::declare::requests::object::declared_object!(@is_open $($extra)?),
            };

            impl object::Object for $Object {
                fn class(&self) -> &'static str {
                    ROW.class
                }

                fn rows(&self) -> &'static [table::MemberRow] {
                    ROW.members
                }

                fn fields(&self) -> Vec<&dyn Field> {
                    alloc::vec![$(&self.$member),*]
                }

                fn fields_mut(&mut self) -> Vec<&mut dyn Field> {
                    alloc::vec![$(&mut self.$member),*]
                }

                $(
                    fn flat(&self) -> Option<&dyn $crate::core::request::tagged::Tagged> {
                        Some(&self.$flat)
                    }

                    fn flat_mut(&mut self) -> Option<&mut dyn $crate::core::request::tagged::Tagged> {
                        Some(&mut self.$flat)
                    }
                )?

                $(
                    fn extra(&self) -> &[$crate::json::Member] {
                        &self.$extra
                    }

                    fn keep(&mut self, members: Vec<$crate::json::Member>) {
                        self.$extra = members;
                    }
                )?

                $(
                    fn check(&self, diagnostics: &mut $crate::core::request::Diagnostics) {
                        self.$check(diagnostics);
                    }
                )?
            }

            $crate::core::declare::requests! {
                @typed $Object, $crate::core::request::object::read, $crate::core::request::write::object,
                $crate::core::request::object::check, empty,
                $crate::core::declare::requests::object::declared_object!(@shape $origin $Object { table::Shape::Object(ROW) })
            }
        };
    };
    // An existing type has its TypeScript in its own declaration.
    (@shape existing $Object:ident { $($shape:tt)* }) => { table::Shape::Named(stringify!($Object)) };
    (@shape new $Object:ident { $($shape:tt)* }) => { $($shape)* };
    (@start $Type:ty) => { <$Type as $crate::core::request::Typed>::blank() };
    (@start $Type:ty, $default:expr) => { $default };
    (@is_open) => { false };
    (@is_open $extra:ident) => { true };
}
pub(crate) use declared_object;
