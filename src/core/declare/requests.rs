//! Declared requests: Rust types, and the tables for reading, writing and checking them.

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
///         Stop as "Stop" { One(String) = "str", Many(Vec<String>) = "list[str]", }
///     }
///     bodies { Ask }
///     types { Ask Message Stop }
/// }
/// ```
///
/// A member whose type is an `Option` may be omitted or null, any other is required; the
/// [`MemberRule`](crate::core::request::table::MemberRule)s in brackets define exceptions. The value after `=` is the initial
/// value before reading. `.. extra` keeps undeclared members; without it they are ignored. Objects
/// under `bodies` or `openai_bodies` are read as whole requests; those under `types` are types of the package, in that
/// order. `of` names the class in errors. `with` names a method for additional checks;
/// `made by new` creates a constructor from all members. Existing types are declared under
/// `existing` or `existing_unions`. Under `unions_with`, members that many variants have are
/// declared once, and come last: those of `all` in every variant, those of `most` before them in
/// the variants that name it, as in `Text = "text" most { … }`.
///
/// Creates the types with their `serde::Serialize`, their reading, writing and checking
/// ([`read`](crate::core::request::read), [`to_json`](crate::core::request::to_json),
/// [`check`](crate::core::request::check)) and, as `SHAPE`, their tables, which TypeScript is printed from.
macro_rules! requests {
    ($($section:ident { $($body:tt)* })*) => {
        $(requests! { @$section $($body)* })*
    };
    (@objects $($body:tt)*) => { $crate::core::declare::requests::declared_object! { @objects $($body)* } };
    (@payloads $($body:tt)*) => { $crate::core::declare::requests::declared_object! { @payloads $($body)* } };
    (@existing $($body:tt)*) => { $crate::core::declare::requests::declared_object! { @existing $($body)* } };
    (@unions $($body:tt)*) => { $crate::core::declare::requests::declared_union! { @unions $($body)* } };
    (@unions_with $($body:tt)*) => { $crate::core::declare::requests::unions_with! { $($body)* } };
    (@existing_unions $($body:tt)*) => {
        $crate::core::declare::requests::declared_union! { @existing_unions $($body)* }
    };
    (@alternatives $($body:tt)*) => {
        $crate::core::declare::requests::declared_either! { @alternatives $($body)* }
    };
    (@types $($Type:ident)*) => {
        /// The types of the package, in their order.
        #[doc(hidden)]
        pub static TYPES: &[$crate::core::request::table::RequestShape] = &[
            $(<$Type as $crate::core::request::Typed>::SHAPE),*
        ];
    };
    // Objects that are the body of a request to a server that returns errors as FastAPI does.
    (@bodies $($Object:ident)*) => {$(
        impl $Object {
            /// Reads the body of a request within the default [`Limits`]($crate::Limits).
            ///
            /// # Errors
            ///
            /// Returns all problems, as a server reports them: 422 in FastAPI's format.
            pub fn parse(json: &str) -> Result<Self, $crate::core::request::InvalidRequest> {
                Self::parse_within(json, &$crate::Limits::default())
            }

            /// Reads the body of a request within the limits `event_bytes` and `json_depth`.
            ///
            /// # Errors
            ///
            /// As [`parse`](Self::parse), and for a body that exceeds a limit.
            pub fn parse_within(
                json: &str,
                limits: &$crate::Limits,
            ) -> Result<Self, $crate::core::request::InvalidRequest> {
                $crate::core::request::read_body(json, limits)
            }

            /// Returns the problems for which the server refuses a request that this reader
            /// accepts; empty if the request is served.
            pub fn validate(&self) -> Vec<$crate::core::request::Problem> {
                $crate::core::request::check(self, $crate::core::request::BODY)
            }

            /// Returns the request in the protocol's documented form, without checks: for servers,
            /// which accept any input.
            pub fn normalized_json(&self) -> alloc::string::String {
                $crate::core::request::to_json(self, true)
            }
        }
    )*};
    // Objects that are the body of a request to a server of OpenAI.
    (@openai_bodies $($Object:ident: $labels:path)*) => {$(
        impl $Object {
            /// Parses the body of a request within the default [`Limits`]($crate::Limits).
            ///
            /// # Errors
            ///
            /// [`RequestError`]($crate::core::request::openai::RequestError) for a request that an
            /// OpenAI server would refuse.
            pub fn parse(json: &str) -> Result<Self, $crate::core::request::openai::RequestError> {
                Self::parse_within(json, &$crate::Limits::default())
            }

            /// Parses the body of a request. Of the limits, `event_bytes` and `json_depth` apply.
            ///
            /// # Errors
            ///
            /// As [`parse`](Self::parse), and for a body that exceeds a limit.
            pub fn parse_within(
                json: &str,
                limits: &$crate::Limits,
            ) -> Result<Self, $crate::core::request::openai::RequestError> {
                $crate::core::request::openai::parse(json, limits, $labels)
            }

            /// Returns the problems for which an OpenAI server would refuse the request. Empty if
            /// it would serve the request.
            pub fn validate(&self) -> alloc::vec::Vec<$crate::core::request::Problem> {
                $crate::core::request::check(self, None)
            }

            /// Returns the request as JSON, without the members that are not set.
            pub fn to_json(&self) -> alloc::string::String {
                $crate::core::request::to_json(self, true)
            }
        }
    )*};
    (@row [$($doc:literal),*] $member:ident [$($wire:literal)?] $Type:ty, [$($rule:ident $(($($argument:tt)*))?),*]) => {
        $crate::core::request::table::RequestMemberRow::new(
            requests!(@name $member $($wire)?),
            &[$($doc),*],
            <$Type as $crate::core::request::Typed>::SHAPE,
            &[$($crate::core::request::table::MemberRule::$rule $(($($argument)*))?),*],
        )
    };
    (@typed $Type:ident, $read:path, $write:path, $check:path, $blank:ident, $shape:expr) => {
        impl $crate::core::request::RequestValue for $Type {
            fn read(&mut self, value: $crate::json::Value, diagnostics: &mut $crate::core::request::Diagnostics) {
                $read(self, value, diagnostics);
            }

            fn write(&self, out: &mut alloc::string::String, compact: bool) {
                $write(self, out, compact);
            }

            fn check(&self, diagnostics: &mut $crate::core::request::Diagnostics) {
                $check(self, diagnostics);
            }
        }

        impl $crate::core::request::Typed for $Type {
            const SHAPE: $crate::core::request::table::RequestShape = $shape;

            fn blank() -> Self {
                Self::$blank()
            }
        }
    };
    (@serialize $Type:ident) => {
        $crate::core::declare::serde_impls! { $Type: |value, serializer| {
            $crate::json::serialize_json(&$crate::core::request::to_json(value, true), serializer)
        } |deserializer| {
            $crate::core::request::deserialize(deserializer)
        } }
    };
    (@option) => { None };
    (@option $($value:tt)+) => { Some($($value)+) };
    (@name $member:ident) => { stringify!($member) };
    (@name $member:ident $wire:literal) => { $wire };
}

// Declared objects of requests.

/// The part of [`requests!`](super::requests) for objects.
macro_rules! declared_object {
    (@objects $(
        $(#[doc = $doc:literal])*
        $Object:ident as $name:literal $(of $class:literal)? $(made by $new:ident)? $(with $check:ident)? { $($members:tt)* }
    )*) => {$(
        $crate::core::declare::requests::declared_object! { @new [$($new)?] $Object { $($members)* } }
        $crate::core::declare::requests::declared_object! { @struct [#[non_exhaustive]] $(#[doc = $doc])* $Object { $($members)* } }
        $crate::core::declare::requests::declared_object! { @object new [$($doc),*] $Object as $name [$($class)?] [$($check)?] { $($members)* } }
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
        $crate::core::declare::requests::declared_object! { @struct [#[derive(Default)]] $(#[doc = $doc])* $Object { $($members)* } }
        $crate::core::declare::requests::declared_object! { @object new [$($doc),*] $Object as $name [$class] [] { $($members)* } }
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
                    $($member: $crate::core::declare::requests::declared_object!(@start $Type $(, $default)?),)*
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
        $crate::core::declare::requests::declared_object! { @object existing [] $Object as "" [$class] [] { $($members)* } }
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
            use $crate::core::request::{RequestValue, object, table};

            const ROW: &table::ObjectRow = &table::ObjectRow {
                class: concat!($($class)?),
                members: &[
                    $($crate::core::declare::requests!(@row [$($member_doc),*] $member [$($wire)?] $Type, [$($($rules)*)?]),)*
                ],
                #[cfg(feature = "std")] name: $name,
                #[cfg(feature = "std")] doc: &[$($doc),*],
                #[cfg(feature = "std")] flat: $crate::core::declare::requests!(@option $(<$Flat>::ROW)?),
                #[cfg(feature = "std")] open: $crate::core::declare::requests::declared_object!(@is_open $($extra)?),
            };

            impl object::RequestObject for $Object {
                fn class(&self) -> &'static str {
                    ROW.class
                }

                fn rows(&self) -> &'static [table::RequestMemberRow] {
                    ROW.members
                }

                fn fields(&self) -> Vec<&dyn RequestValue> {
                    alloc::vec![$(&self.$member),*]
                }

                fn fields_mut(&mut self) -> Vec<&mut dyn RequestValue> {
                    alloc::vec![$(&mut self.$member),*]
                }

                $(
                    fn flat(&self) -> Option<&dyn $crate::core::request::object::Tagged> {
                        Some(&self.$flat)
                    }

                    fn flat_mut(&mut self) -> Option<&mut dyn $crate::core::request::object::Tagged> {
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
                @typed $Object, $crate::core::request::object::read_object, $crate::core::request::object::write_object,
                $crate::core::request::object::check_object, empty,
                $crate::core::declare::requests::declared_object!(@shape $origin $Object { table::RequestShape::Object(ROW) })
            }
        };
    };
    // An existing type has its TypeScript in its own declaration.
    (@shape existing $Object:ident { $($shape:tt)* }) => { table::RequestShape::Named(stringify!($Object)) };
    (@shape new $Object:ident { $($shape:tt)* }) => { $($shape)* };
    (@start $Type:ty) => { <$Type as $crate::core::request::Typed>::blank() };
    (@start $Type:ty, $default:expr) => { $default };
    (@is_open) => { false };
    (@is_open $extra:ident) => { true };
}

// Declared unions of requests: those whose variants are identified by a member, and members that
// have one of several types.

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

        $crate::core::declare::requests::declared_union! { @tagged [$($doc),*] $Union as $name by $tag [$($Fallback)?] [$($check)?] [""] {
            $($Variant = $word { $($(#[doc = $member_doc])* $member [$($wire)?] $Type, [$($($rules)*)?])* })*
        } }

        $crate::core::declare::requests! {
            @typed $Union, $crate::core::request::object::read_union, $crate::core::request::object::write_union,
            $crate::core::request::object::check_object, blank, $crate::core::request::table::RequestShape::Union(Self::ROW)
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
        $crate::core::declare::requests::declared_union! { @tagged [$($doc),*] $Union as $name by $tag [] [] [match this { $Union::$Other { $other } => $other, _ => "" }; this] {
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
            use $crate::core::request::{RequestValue, Typed, object, table};

            enum Position { $($Variant),* }
            impl object::Tagged for $Union {
                fn row(&self) -> &'static table::UnionRow {
                    Self::ROW
                }

                fn start(&mut self, variant: usize) {
                    $(if variant == Position::$Variant as usize {
                        *self = Self::$Variant { $($member: <$Type as Typed>::blank()),* };
                    })*
                }

                fn variant(&self) -> Option<usize> {
                    #[allow(unreachable_patterns, reason = "unions that exist already have variants for what is not declared")]
                    match self {
                        $(Self::$Variant { .. } => Some(Position::$Variant as usize),)*
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

            impl object::RequestObject for $Union {
                fn rows(&self) -> &'static [table::RequestMemberRow] {
                    object::Tagged::variant(self).map_or(&[], |variant| Self::ROW.members[variant])
                }

                fn fields(&self) -> Vec<&dyn RequestValue> {
                    #[allow(unreachable_patterns, reason = "as above")]
                    match self {
                        $(Self::$Variant { $($member),* } => alloc::vec![$($member),*],)*
                        _ => Vec::new(),
                    }
                }

                fn fields_mut(&mut self) -> Vec<&mut dyn RequestValue> {
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
                    fallback: $crate::core::declare::requests!(@option $(Position::$Fallback as usize)?),
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

/// The part of [`requests!`](super::requests) for unions whose variants have common members.
macro_rules! unions_with {
    ($(
        $(#[doc = $doc:literal])*
        $Union:ident as $name:literal by $tag:literal { all $all:tt most $most:tt $($variants:tt)* }
    )*) => {$(
        $crate::core::declare::requests::unions_with! {
            @next { $(#[doc = $doc])* $Union as $name by $tag } $all $most [] $($variants)*
        }
    )*};
    (@next { $($head:tt)* } $all:tt $most:tt [$($done:tt)*]) => {
        $crate::core::declare::requests::declared_union! { @unions $($head)* { $($done)* } }
    };
    (@next $head:tt { $($all:tt)* } { $($most:tt)* } [$($done:tt)*]
        $(#[doc = $doc:literal])* $Variant:ident = $word:literal most { $($own:tt)* } $($rest:tt)*
    ) => {
        $crate::core::declare::requests::unions_with! {
            @next $head { $($all)* } { $($most)* }
            [$($done)* $(#[doc = $doc])* $Variant = $word { $($own)* $($most)* $($all)* }] $($rest)*
        }
    };
    (@next $head:tt { $($all:tt)* } $most:tt [$($done:tt)*]
        $(#[doc = $doc:literal])* $Variant:ident = $word:literal { $($own:tt)* } $($rest:tt)*
    ) => {
        $crate::core::declare::requests::unions_with! {
            @next $head { $($all)* } $most [$($done)* $(#[doc = $doc])* $Variant = $word { $($own)* $($all)* }] $($rest)*
        }
    };
}

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
            use $crate::core::request::{Diagnostics, RequestValue, Typed, object, table};

            const ROWS: &[table::RequestMemberRow] = &[$($crate::core::declare::requests!(@row [$($variant_doc),*] $Variant [$label] $Type, [$($($rules)*)?])),*];
            enum Position { $($Variant),* }

            impl RequestValue for $Either {
                fn read(&mut self, value: $crate::json::Value, diagnostics: &mut Diagnostics) {
                    let mut tried = diagnostics.branch();
                    $({
                        let mut found = <$Type as Typed>::blank();
                        if object::try_variant(&ROWS[Position::$Variant as usize], &mut found, &value, &mut tried) {
                            *self = Self::$Variant(found);
                            return;
                        }
                    })*
                    diagnostics.absorb(tried);
                }

                fn write(&self, out: &mut alloc::string::String, compact: bool) {
                    match self {
                        $(Self::$Variant(value) => RequestValue::write(value, out, compact),)*
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
                const SHAPE: table::RequestShape =
                    table::RequestShape::Either(&table::EitherRow { name: $name, doc: &[$($doc),*], members: ROWS });

                #[allow(unreachable_code, reason = "the first of them")]
                fn blank() -> Self {
                    $(return Self::$Variant(Typed::blank());)*
                }
            }
        };

        $crate::core::declare::requests! { @serialize $Either }
    )*};
}
pub(crate) use {declared_either, declared_object, declared_union, requests, unions_with};
