//! The protocols, a folder each. None of them names another: they know the core and the hub.
//!
//! `registry!` lists them. Whatever has to do something with each (detection, readers of any
//! protocol, the converter, the bindings, the command line, the TypeScript of the package) is made
//! from that list.

#[cfg(feature = "a2a")]
pub mod a2a;
#[cfg(feature = "ag-kit")]
pub mod ag_kit;
#[cfg(feature = "ag-ui")]
pub mod ag_ui;
#[cfg(feature = "agent-api")]
pub mod agent_api;
#[cfg(feature = "agentscope")]
pub mod agentscope;
#[cfg(feature = "ai-sdk")]
pub mod ai_sdk;
#[cfg(feature = "anthropic")]
pub mod anthropic;
#[cfg(feature = "chat")]
pub mod chat;
#[cfg(feature = "gemini")]
pub mod gemini;
#[cfg(feature = "interactions")]
pub mod interactions;
#[cfg(feature = "responses")]
pub mod responses;
#[cfg(feature = "runs")]
pub mod runs;
#[cfg(feature = "toy")]
pub mod toy;

#[cfg(not(any(
    feature = "agent-api",
    feature = "agentscope",
    feature = "ag-kit",
    feature = "ag-ui",
    feature = "responses",
    feature = "a2a",
    feature = "ai-sdk",
    feature = "chat",
    feature = "anthropic",
    feature = "gemini",
    feature = "interactions"
)))]
compile_error!("agentwire reads nothing without a protocol: choose a feature such as `agent-api`");

use alloc::string::String;

#[cfg(feature = "binary")]
use crate::core::binary::Binary;
use crate::core::declare::events::table::EventTable;
use crate::core::declare::model::shape::ModelShape;
use crate::core::options::OptionShape;
use crate::core::request::table::RequestShape;
use crate::core::{DecodeError, Limits, Observed, Opening, Rule};
use crate::engine::{AnswerLayout, Declared as _, Protocol, Recognizer, Registered};
use crate::json::Document;

/// How many options of its own a protocol can have: by so many places those of each are apart where
/// they are numbered through.
pub const OPTIONS_EACH: usize = 8;

/// The protocols, one line each, handed to the macro of that name.
///
/// A line has the name of the protocol's type and variants, its name for people, its folder, the
/// `cfg` it is compiled under, and what it is. Its number in the wasm module is its position. The
/// folder contains the type of that name, which `protocol!` declares and, if it is converted,
/// `conversion!`; `rules::ALL`; `MODEL`; and `patch_schema`.
///
/// `both` lists the protocols that are read and written, `sources` those that are only read: the
/// APIs of models. The macro receives all of them as `read` and the first ones as `written`.
#[cfg(not(feature = "toy"))]
macro_rules! registry {
    ($with:ident) => {
        $crate::protocols::protocols! { $with }
    };
}
#[cfg(feature = "toy")]
macro_rules! registry {
    ($with:ident) => {
        $crate::protocols::protocols! { $with Toy "toy" toy [feature = "toy"] "For tests: speeches."; }
    };
}
pub(crate) use registry;

macro_rules! protocols {
    ($with:ident $($for_tests:tt)*) => {
        $crate::protocols::by_direction! {
            $with
            both {
                AgentApi "agent-api" agent_api [feature = "agent-api"] "The Agent API of AgentScope Runtime.";
                AgentScope "agentscope" agentscope [feature = "agentscope"] "AgentScope 2.";
                AgKit "ag-kit" ag_kit [feature = "ag-kit"] "AG-Kit's own events.";
                AgUi "ag-ui" ag_ui [feature = "ag-ui"] "AG-UI 1.0.";
                Responses "responses" responses [feature = "responses"] "OpenAI Responses.";
                A2a "a2a" a2a [feature = "a2a"] "A2A 0.3 and 1.0.";
                AiSdk "ai-sdk" ai_sdk [feature = "ai-sdk"] "The AI SDK UI message stream.";
                Chat "chat" chat [feature = "chat"] "OpenAI Chat Completions.";
                Anthropic "anthropic" anthropic [feature = "anthropic"] "Anthropic Messages.";
                $($for_tests)*
            }
            sources {
                Gemini "gemini" gemini [feature = "gemini"] "Gemini.";
                Interactions "interactions" interactions [feature = "interactions"] "Gemini Interactions.";
            }
        }
    };
}
pub(crate) use protocols;

macro_rules! by_direction {
    ($with:ident both { $($both:tt)* } sources { $($sources:tt)* }) => {
        $with! { read { $($both)* $($sources)* } written { $($both)* } }
    };
}
pub(crate) use by_direction;

macro_rules! kinds {
    (
        read { $($Kind:ident $name:literal $folder:ident [$($on:tt)*] $doc:literal;)* }
        written { $($Written:ident $written:literal $written_folder:ident [$($written_on:tt)*] $written_doc:literal;)* }
    ) => {
        /// A protocol that is known by its events.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ProtocolKind {
            $(#[doc = $doc] $Kind,)*
        }

        impl ProtocolKind {
            /// The protocols that can be read, whether this build has them or not.
            pub const READABLE: &'static [ProtocolKind] = &[$(ProtocolKind::$Kind,)*];

            /// The protocols that can be written, whether this build has them or not: the others
            /// are sources only.
            pub const WRITABLE: &'static [ProtocolKind] = &[$(ProtocolKind::$Written,)*];

            /// The protocol of a stream that is not detected: the first of this build.
            pub const FALLBACK: ProtocolKind = Built::FIRST.kind();

            /// The name for people: `"agent-api"`, `"ag-kit"`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(ProtocolKind::$Kind => $name,)*
                }
            }

            /// Whether this build can read it.
            pub const fn is_readable(self) -> bool {
                match self {
                    $(ProtocolKind::$Kind => cfg!($($on)*),)*
                }
            }

            /// Whether this build can write it.
            pub const fn is_writable(self) -> bool {
                matches!(self, $(ProtocolKind::$Written)|*) && self.is_readable()
            }

            /// The protocol by which a stream of this protocol is read: a protocol of this build.
            pub(crate) const fn read_as(self) -> Built {
                match self {
                    $(
                        #[cfg($($on)*)]
                        ProtocolKind::$Kind => Built::$Kind,
                        #[cfg(not($($on)*))]
                        ProtocolKind::$Kind => Built::FIRST,
                    )*
                }
            }

            /// Whether this is an event of the protocol, by itself: for one that is not read,
            /// whether it is a JSON object.
            pub(crate) fn check_event(self, document: &Document<'_>) -> Result<(), DecodeError> {
                match self {
                    $(#[cfg($($on)*)] ProtocolKind::$Kind => <$folder::$Kind as Registered>::Fold::check(document),)*
                    #[allow(unreachable_patterns, reason = "a build may have all protocols")]
                    _ => document.root().object().map(drop).map_err(|error| DecodeError::new(error, "")),
                }
            }

            /// The rules that a stream of the protocol is judged by.
            pub fn rules(self) -> &'static [&'static Rule] {
                match self.read_as() {
                    $(#[cfg($($on)*)] Built::$Kind => $folder::rules::ALL,)*
                }
            }

            /// The declaration of the protocol's answer.
            #[doc(hidden)]
            pub fn model(self) -> &'static ModelShape {
                match self.read_as() {
                    $(#[cfg($($on)*)] Built::$Kind => &$folder::MODEL,)*
                }
            }

            /// The declaration of the protocol's events.
            #[doc(hidden)]
            pub fn events(self) -> &'static EventTable {
                match self.read_as() {
                    $(#[cfg($($on)*)] Built::$Kind => <$folder::$Kind as Registered>::Fold::EVENTS,)*
                }
            }

            /// The types of the protocol's requests.
            #[doc(hidden)]
            pub fn request_types(self) -> &'static [RequestShape] {
                match self.read_as() {
                    $(#[cfg($($on)*)] Built::$Kind => $folder::request::TYPES,)*
                }
            }

            /// The name for people: `"Agent API"`.
            pub fn title(self) -> &'static str {
                match self {
                    $(#[cfg($($on)*)] ProtocolKind::$Kind => <$folder::$Kind as Protocol>::TITLE,)*
                    #[allow(unreachable_patterns, reason = "a build may have all protocols")]
                    other => other.as_str(),
                }
            }

            /// The name in a violation where events of this protocol are not expected.
            pub(crate) fn observed(self) -> Observed<'static> {
                Observed::Protocol(self.title(), self.as_str())
            }

            /// The choices that the protocol leaves to a reader, by name.
            #[doc(hidden)]
            pub fn options(self) -> &'static [OptionShape] {
                match self.read_as() {
                    $(#[cfg($($on)*)] Built::$Kind => <$folder::$Kind as Protocol>::OPTIONS,)*
                }
            }

            /// Whether an option of a protocol that this build has may be any JSON.
            #[cfg(feature = "wasm-reader")]
            pub(crate) const TAKES_JSON: bool = {
                let mut takes = false;
                $(#[cfg($($on)*)] {
                    takes |= OptionShape::any_json(<$folder::$Kind as Protocol>::OPTIONS);
                })*
                takes
            };

            /// Where in the root object that a fold makes the answer is.
            #[doc(hidden)]
            pub fn layout(self) -> AnswerLayout {
                match self.read_as() {
                    $(#[cfg($($on)*)] Built::$Kind => <$folder::$Kind as Protocol>::LAYOUT,)*
                }
            }

            /// The messages that the events of the protocol are in binary streams, if there are
            /// such.
            #[cfg(feature = "binary")]
            pub(crate) fn binary(self) -> Option<&'static Binary> {
                match self.read_as() {
                    $(#[cfg($($on)*)] Built::$Kind => <$folder::$Kind as Protocol>::DECLARATION.binary,)*
                }
            }

            /// The `Content-Type` of binary streams of the protocol, if it has them.
            #[cfg(feature = "binary")]
            pub fn binary_type(self) -> Option<&'static str> {
                self.binary().map(|binary| binary.media_type)
            }

            /// The first protocol that has binary streams: such a stream does not contain the name
            /// of its protocol.
            #[cfg(feature = "binary")]
            pub(crate) fn of_binary() -> Option<ProtocolKind> {
                Self::READABLE.iter().copied().find(|kind| kind.is_readable() && kind.binary().is_some())
            }

            /// The tables of the protocol as JSON: names of members, words, templates of objects.
            #[doc(hidden)]
            pub fn patch_schema(self) -> String {
                match self.read_as() {
                    $(#[cfg($($on)*)] Built::$Kind => $folder::patch_schema(),)*
                }
            }
        }

        $(
            #[cfg(all(feature = "hub", $($on)*))]
            impl crate::hub::ProtocolName for $folder::$Kind {
                const NAME: &'static str = $name;
            }
        )*

        /// The protocols that this build can read.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Built {
            $(#[cfg($($on)*)] $Kind,)*
        }

        impl Built {
            const ALL: &[Built] = &[$(#[cfg($($on)*)] Built::$Kind,)*];
            const FIRST: Built = Built::ALL[0];

            /// The only protocol that a reader's module of the package can read, if there is only
            /// one. There, the protocol is not detected from events.
            pub const ONLY: Option<ProtocolKind> = match Built::ALL {
                [only] if cfg!(feature = "wasm-reader") => Some(only.kind()),
                _ => None,
            };

            /// The protocol.
            pub const fn kind(self) -> ProtocolKind {
                match self {
                    $(#[cfg($($on)*)] Built::$Kind => ProtocolKind::$Kind,)*
                }
            }
        }

        fn kind_of(opening: &Opening<'_, '_>) -> Option<ProtocolKind> {
            $(#[cfg($($on)*)] if <$folder::$Kind as Registered>::Fold::opens(opening) {
                return Some(ProtocolKind::$Kind);
            })*
            None
        }
    };
}
registry!(kinds);

/// Recognizes the protocol of an event for the fold of another one.
pub(crate) const RECOGNIZER: Recognizer =
    Recognizer(|opening| kind_of(opening).map(ProtocolKind::observed));

/// The protocol that the data of an event belongs to; `None` if it fits several protocols of this
/// build or none.
///
/// ```
/// use agentwire::{ProtocolKind, read::detect};
///
/// assert_eq!(detect(r#"{"object":"response","status":"created"}"#), Some(ProtocolKind::AgentApi));
/// assert_eq!(detect(r#"{"type":"text","content":"Hi"}"#), Some(ProtocolKind::AgKit));
/// assert_eq!(detect(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#), Some(ProtocolKind::AgUi));
/// assert_eq!(detect(r#"{"object":"chat.completion.chunk"}"#), Some(ProtocolKind::Chat));
/// assert_eq!(detect("{}"), None); // shows nothing: the next event may
/// ```
pub fn detect(data: &str) -> Option<ProtocolKind> {
    let document = Document::read(data, Limits::default().json_depth).ok();
    kind_of(&Opening::of(data, document.as_ref())?)
}
