//! Requests, declared: Rust types, and the tables that they are read, written and checked by.

#[cfg(feature = "typescript")]
#[cfg_attr(
    not(target_family = "wasm"),
    allow(dead_code, reason = "only a wasm module has it written into it")
)]
pub(crate) mod typescript;

/// Declares the requests of a protocol.
///
/// ```text
/// requests! {
///     objects {
///         /// The request. Each object that others hold is declared in the same way.
///         Ask as "Ask" of "AskClass" {
///             /// What it belongs to. The name in JSON, another spelling of it.
///             thread_id as "threadId": String [Alias("thread_id")],
///             /// What is new.
///             messages: Vec<Message>,
///             /// How many answers. Absent is 1.
///             n: Option<i64> [Default, Within(1, 5)] = Some(1),
///             .. extra
///         }
///     }
///     unions {
///         /// By its `role`; where that is none of these, the rest is read as a `User`.
///         Message as "Message" by "role" else User {
///             /// Instructions.
///             System = "system" { content: String, }
///             /// What the user says.
///             User = "user" { content: String, name: Option<String>, }
///         }
///     }
///     alternatives {
///         /// The first type that fits.
///         Stop as "Stop" { One(String) = "str", Many(Vec<String>) = "list[str]" }
///     }
/// }
/// ```
///
/// A member whose type is an `Option` may be left out or null, any other has to be there; the
/// [`Rule`](crate::core::request::table::Rule)s in brackets say what is different. The value after `=` is what stands in
/// its place while nothing was read. `.. extra` keeps members that are not declared; without it they are passed over.
/// `of` names the class in refusals. `with` names a method that checks more than the rules say. A type that exists already
/// stands under `existing` or `existing_unions`.
///
/// Makes the types with their `serde::Serialize`, their reading, writing and checking
/// ([`read`](crate::core::request::read), [`to_json`](crate::core::request::to_json),
/// [`check`](crate::core::request::check)) and, as `SHAPE`, what TypeScript and JSON Schema are made of.
macro_rules! requests {
    ($($section:ident { $($body:tt)* })*) => {
        $(requests! { @$section $($body)* })*
    };
    (@objects $(
        $(#[doc = $doc:literal])*
        $Object:ident as $name:literal $(of $class:literal)? $(with $check:ident)? { $($members:tt)* }
    )*) => {$(
        requests! { @struct [#[non_exhaustive]] $(#[doc = $doc])* $Object { $($members)* } }
        requests! { @object new [$($doc),*] $Object as $name [$($class)?] [$($check)?] { $($members)* } }
        requests! { @serialize $Object }
    )*};
    // Structs that can be written as literals.
    (@payloads $(
        $(#[doc = $doc:literal])*
        $Object:ident as $name:literal of $class:literal { $($members:tt)* }
    )*) => {$(
        requests! { @struct [#[derive(Default)]] $(#[doc = $doc])* $Object { $($members)* } }
        requests! { @object new [$($doc),*] $Object as $name [$class] [] { $($members)* } }
        requests! { @serialize $Object }
    )*};
    (@struct [$($meta:tt)*] $(#[doc = $doc:literal])* $Object:ident {
        $(
            $(#[doc = $member_doc:literal])*
            $member:ident $(as $wire:literal)?: $Type:ty $([$($rules:tt)*])? $(= $default:expr)?,
        )*
        $(.. $extra:ident)?
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        $($meta)*
        pub struct $Object {
            $($(#[doc = $member_doc])* pub $member: $Type,)*
            $(
                /// Members the protocol does not declare, verbatim and in their order.
                pub $extra: Vec<$crate::json::Member>,
            )?
        }

        impl $Object {
            /// Nothing but what stands in the place of absent members.
            fn empty() -> Self {
                $Object {
                    $($member: requests!(@start $Type $(, $default)?),)*
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
        requests! { @object existing [] $Object as "" [$class] [] { $($members)* } }
    )*};
    (@object $origin:ident [$($doc:literal),*] $Object:ident as $name:literal [$($class:literal)?] [$($check:ident)?] {
        $(
            $(#[doc = $member_doc:literal])*
            $member:ident $(as $wire:literal)?: $Type:ty $([$($rules:tt)*])? $(= $default:expr)?,
        )*
        $(.. $extra:ident)?
    }) => {
        const _: () = {
            use $crate::core::request::{Diagnostics, Field, Typed, object, shape, table};

            const ROWS: &[table::MemberRow] = &[
                $(requests!(@row $member [$($wire)?] $Type, [$($($rules)*)?]),)*
            ];

            impl object::Object for $Object {
                fn row(&self) -> &'static table::ObjectRow {
                    const ROW: &table::ObjectRow = &table::ObjectRow { class: concat!($($class)?), members: ROWS };
                    ROW
                }

                fn fields(&self) -> Vec<&dyn Field> {
                    alloc::vec![$(&self.$member),*]
                }

                fn fields_mut(&mut self) -> Vec<&mut dyn Field> {
                    alloc::vec![$(&mut self.$member),*]
                }

                $(
                    fn extra(&self) -> &[$crate::json::Member] {
                        &self.$extra
                    }

                    fn keep(&mut self, members: Vec<$crate::json::Member>) {
                        self.$extra = members;
                    }
                )?

                $(
                    fn check(&self, diagnostics: &mut Diagnostics) {
                        self.$check(diagnostics);
                    }
                )?
            }

            impl Field for $Object {
                fn read(&mut self, value: $crate::json::Value, diagnostics: &mut Diagnostics) {
                    object::read(self, value, diagnostics);
                }

                fn write(&self, out: &mut alloc::string::String, compact: bool) {
                    object::write(self, out, compact);
                }

                fn check(&self, diagnostics: &mut Diagnostics) {
                    object::check(self, diagnostics);
                }
            }

            impl Typed for $Object {
                const SHAPE: shape::Shape = requests!(@shape $origin $Object {
                    shape::Shape::Object(&shape::ObjectShape {
                        name: $name,
                        doc: &[$($doc),*],
                        members: &[$(shape::MemberShape { doc: &[$($member_doc),*], shape: <$Type as Typed>::SHAPE }),*],
                        rows: ROWS,
                        open: requests!(@is_open $($extra)?),
                    })
                });

                fn blank() -> Self {
                    Self::empty()
                }
            }
        };

    };
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

        requests! { @tagged [$($doc),*] $Union as $name by $tag [$($Fallback)?] [$($check)?] [""] {
            $($Variant = $word { $($(#[doc = $member_doc])* $member [$($wire)?] $Type, [$($($rules)*)?])* })*
        } }

        const _: () = {
            use $crate::core::request::{Diagnostics, Field, tagged};

            impl Field for $Union {
                fn read(&mut self, value: $crate::json::Value, diagnostics: &mut Diagnostics) {
                    tagged::read(self, value, diagnostics);
                }

                fn write(&self, out: &mut alloc::string::String, compact: bool) {
                    tagged::write(self, out, compact);
                }

                fn check(&self, diagnostics: &mut Diagnostics) {
                    tagged::check(self, diagnostics);
                }

                fn tagged(&self) -> Option<&dyn tagged::Tagged> {
                    Some(self)
                }

                fn tagged_mut(&mut self) -> Option<&mut dyn tagged::Tagged> {
                    Some(self)
                }
            }
        };

        requests! { @serialize $Union }
    )*};
    // Unions whose members stand among those of an object; the variants that are not declared have a name, too.
    (@existing_unions $(
        $(#[doc = $doc:literal])*
        $Union:ident as $name:literal by $tag:literal or $Other:ident($other:ident) {
            $($Variant:ident = $word:literal {
                $($member:ident: $Type:ty $([$($rules:tt)*])?,)*
            })*
        }
    )*) => {$(
        requests! { @tagged [$($doc),*] $Union as $name by $tag [] [] [match this { $Union::$Other { $other } => $other, _ => "" }; this] {
            $($Variant = $word { $($member [] $Type, [$($($rules)*)?])* })*
        } }

        const _: () = {
            use $crate::core::request::{Diagnostics, Field, tagged};

            impl Field for $Union {
                fn read(&mut self, value: $crate::json::Value, diagnostics: &mut Diagnostics) {
                    tagged::read(self, value, diagnostics);
                }

                fn write(&self, out: &mut alloc::string::String, compact: bool) {
                    tagged::write(self, out, compact);
                }

                fn tagged(&self) -> Option<&dyn tagged::Tagged> {
                    Some(self)
                }

                fn tagged_mut(&mut self) -> Option<&mut dyn tagged::Tagged> {
                    Some(self)
                }
            }
        };
    )*};
    (@tagged [$($doc:literal),*] $Union:ident as $name:literal by $tag:literal [$($Fallback:ident)?] [$($check:ident)?]
        [$other:expr $(; $this:ident)?] {
        $($Variant:ident = $word:literal {
            $($(#[doc = $member_doc:literal])* $member:ident [$($wire:literal)?] $Type:ty, [$($rules:tt)*])*
        })*
    }) => {
        const _: () = {
            use $crate::core::request::{Field, Typed, shape, table, tagged};

            enum Number { $($Variant),* }
            const ROW: &table::UnionRow = &table::UnionRow {
                tag: $tag,
                names: &[$($word),*],
                members: &[$(&[$(requests!(@row $member [$($wire)?] $Type, [$($rules)*])),*]),*],
                fallback: requests!(@option $(Number::$Fallback as usize)?),
            };

            impl tagged::Tagged for $Union {
                fn row(&self) -> &'static table::UnionRow {
                    ROW
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
                        Some(variant) => ROW.names[variant],
                        None => { $(let $this = self;)? $other }
                    }
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

            impl Typed for $Union {
                const SHAPE: shape::Shape = shape::Shape::Union(&shape::UnionShape {
                    name: $name,
                    doc: &[$($doc),*],
                    row: ROW,
                    members: &[$(&[$(shape::MemberShape { doc: &[$($member_doc),*], shape: <$Type as Typed>::SHAPE }),*]),*],
                });

                #[allow(unreachable_code, reason = "the first variant")]
                fn blank() -> Self {
                    $(return Self::$Variant { $($member: <$Type as Typed>::blank()),* };)*
                }
            }
        };
    };
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
            use $crate::core::request::{Diagnostics, Field, Typed, shape, table, tagged};

            const ROWS: &[table::MemberRow] = &[$(requests!(@row $Variant [$label] $Type, [$($($rules)*)?])),*];
            enum Number { $($Variant),* }

            impl Field for $Either {
                fn read(&mut self, value: $crate::json::Value, diagnostics: &mut Diagnostics) {
                    let mut tried = diagnostics.branch();
                    $({
                        let mut found = <$Type as Typed>::blank();
                        if tagged::is_it(&ROWS[Number::$Variant as usize], &mut found, &value, &mut tried) {
                            *self = Self::$Variant(found);
                            return;
                        }
                    })*
                    diagnostics.found.append(&mut tried.found);
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
                const SHAPE: shape::Shape = shape::Shape::Either(&shape::EitherShape {
                    name: $name,
                    doc: &[$($doc),*],
                    rows: ROWS,
                    shapes: &[$(<$Type as Typed>::SHAPE),*],
                });

                #[allow(unreachable_code, reason = "the first of them")]
                fn blank() -> Self {
                    $(return Self::$Variant(Typed::blank());)*
                }
            }
        };

        requests! { @serialize $Either }
    )*};
    (@row $member:ident [$($wire:literal)?] $Type:ty, [$($rule:ident $(($($argument:tt)*))?),*]) => {
        $crate::core::request::table::MemberRow::new(
            requests!(@name $member $($wire)?),
            &<$Type as $crate::core::request::Typed>::SHAPE,
            &[$($crate::core::request::table::Rule::$rule $(($($argument)*))?),*],
        )
    };
    // A type that exists already has its TypeScript where it is declared.
    (@shape existing $Object:ident { $($shape:tt)* }) => { shape::Shape::Named(stringify!($Object)) };
    (@shape new $Object:ident { $($shape:tt)* }) => { $($shape)* };
    (@serialize $Type:ident) => {
        /// As compact JSON has it.
        #[cfg(feature = "serde")]
        impl serde::Serialize for $Type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let json = $crate::core::request::to_json(self, true);
                $crate::json::Value::from_raw($crate::json::Raw(&json)).serialize(serializer)
            }
        }
    };
    (@start $Type:ty) => { <$Type as $crate::core::request::Typed>::blank() };
    (@start $Type:ty, $default:expr) => { $default };
    (@option) => { None };
    (@option $($value:tt)+) => { Some($($value)+) };
    (@is_open) => { false };
    (@is_open $extra:ident) => { true };
    (@name $member:ident) => { stringify!($member) };
    (@name $member:ident $wire:literal) => { $wire };
}
pub(crate) use requests;
