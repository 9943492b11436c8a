//! Agent protocol streams: read, checked, written and converted, without IO.
//!
//! A [`Reader`] takes the bytes of a stream, cut anywhere, and keeps the growing answer, the list
//! of changes, and a
//! [`Report`] with every violation of the protocol. An [`AnyReader`] detects the protocol from the first event.
//!
//! ```
//! use agentwire::{AnyReader, EndReason};
//!
//! let stream = r#"data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}
//!
//! data: {"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}
//!
//! data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Sunny, "}
//!
//! data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"21 °C"}
//!
//! data: {"type":"TEXT_MESSAGE_END","messageId":"m"}
//!
//! data: {"type":"RUN_FINISHED","threadId":"t","runId":"r"}
//!
//! "#;
//! let mut reader = AnyReader::new();
//! let mut text = String::new();
//! for chunk in stream.as_bytes().chunks(10) {
//!     for delta in reader.push(chunk).text_deltas() {
//!         print!("{}", delta.text); // prints "Sunny, 21 °C" in pieces
//!         text += &delta.text;
//!     }
//! }
//! let outcome = reader.finish();
//! println!("\n{}, {} violations", outcome.report.end_reason.as_str(), outcome.report.violations.len());
//! // terminal, 0 violations
//! # assert_eq!(text, "Sunny, 21 °C");
//! # assert_eq!((outcome.report.end_reason, outcome.report.violations.len()), (EndReason::Terminal, 0));
//! ```
//!
//! | to | use |
//! |---|---|
//! | read one protocol, with its typed snapshot | [`Reader`] with `AgUi`, `Responses`, `A2a`, `AgentApi`, `AgentScope`, `AgKit`, `AiSdk`, `Chat`, `Anthropic`, `Gemini` or `Interactions` |
//! | read events without keeping an answer | [`read::EventReader`] |
//! | write an agent's answer in every protocol | `emit` |
//! | write single events of a protocol | [`write::EventWriter`] |
//! | convert one protocol to another | `convert::Converter`, `convert::ConvertingReader` |
//! | parse, validate and write requests | the `request` module of the protocol, and `convert::convert_request` between protocols |
//! | call the API of a model, pass its answer on, run its tools | `model` |
//! | keep runs that survive their connection | `runs`, and as a service `adapters::axum::AgentService::store`, on a store of `stores` |
//! | read a protocol of your own | [`protocol::Protocol`] |
//! | use an async runtime, HTTP client or server | [`adapters`] |
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `agent-api`, `agentscope`, `ag-kit`, `ag-ui`, `responses`, `a2a`, `ai-sdk`, `chat`, `anthropic`, `gemini`, `interactions` | yes | the protocols; at least one is required |
//! | `binary` | yes | the binary form of AG-UI |
//! | `hub` | yes | conversion; requires all protocols and `binary` |
//! | `runs` | yes | runs that survive their connection |
//! | `serde` | yes | `Serialize` and `Deserialize` for snapshots, requests and reports |
//! | `std` | yes | builders that several threads can share; without it the crate requires only `alloc` |
//! | `uuid` | yes | random ids |
//! | `simd` | yes | UTF-8 validation by vector instructions |
//! | `futures` | | streams of bytes as the source, `async` agents as the target |
//! | `reqwest` | | `reqwest` responses as the source |
//! | `model` | | calls of models and agents, and a loop that runs tools |
//! | `axum` | | extractors and responses for `axum` servers |
//! | `axum-ws` | | the same, and Responses over WebSocket |
//! | `store` | | stores of logs: in memory, and the trait for others |
//! | `sqlite`, `postgres`, `redis` | | a store in a SQLite file, in Postgres, in Redis |
//! | `runs-server` | | the runs endpoints of `adapters::axum::AgentService` with a store |
//! | `web` | | `Response` and `ReadableStream` of browsers and edge workers |
//! | `cli` | | the `agentwire` program |
//! | `gateway` | | the program with `agentwire serve` |
//!
//! The default features compile for `wasm32-unknown-unknown`.

// Each item names the feature that enables it, where docs.rs builds the documentation.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(test, allow(clippy::unwrap_used))]
// The core serves all protocols: where only some of them are compiled, parts of it are unused.
#![cfg_attr(
    not(all(
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
    )),
    allow(dead_code, unused_imports, unused_macros)
)]

extern crate alloc;

pub mod adapters;
mod bytes;
#[cfg(feature = "hub")]
pub mod convert;
mod core;
#[cfg(feature = "hub")]
pub mod emit;
mod engine;
mod host;
#[cfg(feature = "hub")]
pub mod hub;
pub mod json;
#[cfg(feature = "model")]
pub mod model;
mod protocols;
pub mod read;
pub mod sse;
#[cfg(feature = "store")]
pub mod stores;
#[cfg(feature = "store")]
// Stores are of use without the services on their threads.
#[cfg_attr(not(feature = "runs-server"), allow(dead_code, unused_imports))]
mod threads;
#[cfg(feature = "wasm-reader")]
#[doc(hidden)]
pub mod wasm;
#[cfg(feature = "hub")]
pub mod write;

pub use crate::core::changes::{Change, Changes};
pub use crate::core::error::{DecodeError, UsageError};
pub use crate::core::id::Id;
pub use crate::core::limits::Limits;
pub use crate::core::report::{EndReason, Report};
pub use crate::core::violation::{Severity, Violation};
pub use protocols::ProtocolKind;
#[cfg(feature = "a2a")]
pub use protocols::a2a;
#[cfg(feature = "ag-kit")]
pub use protocols::ag_kit;
#[cfg(feature = "ag-ui")]
pub use protocols::ag_ui;
#[cfg(feature = "agent-api")]
pub use protocols::agent_api;
#[cfg(feature = "agentscope")]
pub use protocols::agentscope;
#[cfg(feature = "ai-sdk")]
pub use protocols::ai_sdk;
#[cfg(feature = "anthropic")]
pub use protocols::anthropic;
#[cfg(feature = "chat")]
pub use protocols::chat;
#[cfg(feature = "gemini")]
pub use protocols::gemini;
#[cfg(feature = "interactions")]
pub use protocols::interactions;
#[cfg(feature = "responses")]
pub use protocols::responses;
#[cfg(feature = "runs")]
pub use protocols::runs;
pub use read::native::{AnyReader, AnySnapshot};
pub use read::reader::{Outcome, Reader};

/// The types that the builders of all protocols share: the events that they return, and the sources
/// of ids and of the time.
pub mod builder {
    #[cfg(feature = "uuid")]
    pub use crate::core::id::RandomIds;
    pub use crate::core::id::{Clock, Counter, IdSource};
    pub use crate::core::wire::WireEvent;
}

/// The traits by which a [`Reader`] reads a protocol outside this crate.
///
/// A [`Protocol`](protocol::Protocol) has a [`Fold`](protocol::Fold), which applies events to
/// the answer by the methods of a [`Context`](protocol::Context), and a snapshot, a
/// [`Sink`](protocol::Sink) that stores the answer. `tests/rust/external_protocol` in the
/// repository of this crate is a complete example.
pub mod protocol {
    pub use crate::core::changes::{AgentText, Located};
    pub use crate::core::options::{OptionShape, OptionValue, OptionValues};
    pub use crate::core::transition::Transition;
    pub use crate::engine::{
        AnswerLayout, Context, CopyFold, Declaration, Discard, Engine, Field, FieldValue, Fold,
        JsonChange, ObjectId, ObjectKind, ObjectLimit, Protocol, RefusedChange, Sink, Subject,
        TextSlot,
    };
}

/// The parts of a [`Report`]: the rules, and where and how a stream violates them. Here are the
/// rules that hold for every protocol; the others are in `rules` of each protocol.
pub mod report {
    pub use crate::core::violation::Observed;
    pub use crate::core::violation::{
        FOREIGN_ERROR, FRAMING_UNTERMINATED, INVALID_UTF8, LIMIT_EXCEEDED,
    };
    pub use crate::core::violation::{Location, NDJSON, Rule, UNKNOWN_PROTOCOL, WHOLE_ANSWER};
}

/// Errors of requests, the same for every protocol.
pub mod request {
    pub use crate::core::request::{InvalidRequest, Problem};

    /// Errors in the form of OpenAI, which Responses and Chat Completions share.
    #[cfg(any(feature = "responses", feature = "chat"))]
    pub mod openai {
        pub use crate::core::request::openai::{RequestError, error_body};
    }
}

/// The types that the snapshots of all protocols share: fields, and paths into a snapshot.
pub mod snapshot {
    pub use crate::core::changes::{Path, PathStep, TextDelta, TextKind};
    pub use crate::core::declare::model::member::Absent;
    #[cfg(feature = "patches")]
    pub use crate::core::json_patch::Tree;
}

/// Not part of the public API: items for the tests, benchmarks and generators of this repository.
#[doc(hidden)]
pub mod internals {
    pub use crate::core::*;
    pub use crate::protocols::OPTIONS_EACH;
    #[cfg(feature = "toy")]
    pub use crate::protocols::toy;

    pub mod engine {
        pub use crate::engine::*;
    }
}

/// Compiles the samples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Compiles and runs the program of the quick start.
#[cfg(doctest)]
#[doc = include_str!("../docs/quick-start.md")]
struct QuickStart;

/// Compiles and runs the program of the guide to stores.
#[cfg(all(doctest, feature = "store", feature = "axum"))]
#[doc = include_str!("../docs/guides/stores.md")]
struct StoresGuide;

/// Compiles the program of the guide to stored answers.
#[cfg(all(doctest, feature = "sqlite", feature = "axum"))]
#[doc = include_str!("../docs/guides/runs.md")]
struct RunsGuide;

/// Compiles the programs of the guide, and runs the one that needs no server.
#[cfg(all(doctest, feature = "axum", feature = "model"))]
#[doc = include_str!("../docs/guides/rust.md")]
struct RustGuide;
