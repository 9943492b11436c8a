//! Declared requests: Rust types, and the tables for reading, writing and checking them.

pub(crate) mod object;
pub(crate) mod union;

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
/// [`Rule`](crate::core::request::table::Rule)s in brackets define exceptions. The value after `=` is the initial
/// value before reading. `.. extra` keeps undeclared members; without it they are ignored. Objects under `bodies` are
/// read as whole requests; those under `types` are types of the package, in that order. `of` names the class in
/// errors. `with` names a method for additional checks; `made by new` creates a constructor from all members. Existing
/// types are declared under `existing` or `existing_unions`. Under `unions_with`, members that many variants have are
/// declared once, and come last: those of `all` in every variant, those of `most` before them in the variants that
/// name it, as in `Text = "text" most { … }`.
///
/// Creates the types with their `serde::Serialize`, their reading, writing and checking
/// ([`read`](crate::core::request::read), [`to_json`](crate::core::request::to_json),
/// [`check`](crate::core::request::check)) and, as `SHAPE`, their tables, which TypeScript is printed from.
macro_rules! requests {
    ($($section:ident { $($body:tt)* })*) => {
        $(requests! { @$section $($body)* })*
    };
    (@objects $($body:tt)*) => { $crate::core::declare::requests::object::declared_object! { @objects $($body)* } };
    (@payloads $($body:tt)*) => { $crate::core::declare::requests::object::declared_object! { @payloads $($body)* } };
    (@existing $($body:tt)*) => { $crate::core::declare::requests::object::declared_object! { @existing $($body)* } };
    (@unions $($body:tt)*) => { $crate::core::declare::requests::union::declared_union! { @unions $($body)* } };
    (@unions_with $($body:tt)*) => { $crate::core::declare::requests::union::unions_with! { $($body)* } };
    (@existing_unions $($body:tt)*) => {
        $crate::core::declare::requests::union::declared_union! { @existing_unions $($body)* }
    };
    (@alternatives $($body:tt)*) => {
        $crate::core::declare::requests::union::declared_either! { @alternatives $($body)* }
    };
    (@types $($Type:ident)*) => {
        /// The types of the package, in their order.
        #[doc(hidden)]
        pub static TYPES: &[$crate::core::request::table::Shape] = &[
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
            pub fn parse(json: &str) -> Result<Self, $crate::core::request::RequestError> {
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
            ) -> Result<Self, $crate::core::request::RequestError> {
                $crate::core::request::read_body(json, limits)
            }

            /// Returns the problems for which the server refuses a request that this reader accepts; empty if the
            /// request is served.
            pub fn validate(&self) -> Vec<$crate::core::request::Problem> {
                $crate::core::request::check(self, $crate::core::request::BODY)
            }

            /// Returns the request in the protocol's documented form, without checks: for servers, which accept any
            /// input.
            pub fn normalized_json(&self) -> alloc::string::String {
                $crate::core::request::to_json(self, true)
            }
        }
    )*};
    (@row [$($doc:literal),*] $member:ident [$($wire:literal)?] $Type:ty, [$($rule:ident $(($($argument:tt)*))?),*]) => {
        $crate::core::request::table::MemberRow::new(
            requests!(@name $member $($wire)?),
            &[$($doc),*],
            <$Type as $crate::core::request::Typed>::SHAPE,
            &[$($crate::core::request::table::Rule::$rule $(($($argument)*))?),*],
        )
    };
    (@typed $Type:ident, $read:path, $write:path, $check:path, $blank:ident, $shape:expr) => {
        impl $crate::core::request::Field for $Type {
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
            const SHAPE: $crate::core::request::table::Shape = $shape;

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
pub(crate) use requests;
