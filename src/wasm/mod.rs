//! The JavaScript bindings: they rename, convert and delegate, and have no logic of their own.

#[cfg(feature = "wasm")]
mod a2a;
#[cfg(feature = "wasm")]
mod ag_kit;
#[cfg(feature = "wasm")]
mod ag_ui;
#[cfg(feature = "wasm")]
mod agentscope;
#[cfg(feature = "wasm")]
mod ai_sdk;
#[cfg(feature = "wasm")]
mod anthropic;
#[cfg(feature = "wasm")]
mod builder;
#[cfg(feature = "wasm")]
mod chat;
#[cfg(feature = "wasm")]
mod conversation;
#[cfg(feature = "wasm")]
mod convert;
#[cfg(feature = "wasm")]
mod event_writer;
mod events;
mod exchange;
#[cfg(feature = "wasm")]
mod forward;
#[cfg(feature = "wasm")]
mod framed;
#[cfg(feature = "wasm")]
mod framer;
#[cfg(feature = "wasm")]
mod model_list;
mod options;
mod reader;
#[cfg(feature = "wasm")]
mod request;
#[cfg(feature = "wasm")]
mod responses;
#[cfg(feature = "runs")]
mod runs;
#[cfg(feature = "wasm")]
mod runs_server;
#[cfg(all(target_family = "wasm", not(feature = "std")))]
mod runtime;
