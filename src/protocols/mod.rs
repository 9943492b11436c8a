//! The protocols, a folder each. None of them names another: they know the core and the hub.

#[cfg(feature = "ag-kit")]
pub mod ag_kit;
pub mod agent_api;
