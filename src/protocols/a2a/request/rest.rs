//! The REST binding of 1.0, and of 0.3, whose paths begin with `/v1`: paths and queries. (2.1.)

use alloc::vec::Vec;

use super::call::{Method, Name, RefusedOperation, parse};
use super::dialect::params_from_v03;
use super::reply::{Binding, ErrorKind};
use crate::core::query::{decoded, pairs};
use crate::core::violation::excerpt;
use crate::json::Value;
use crate::protocols::a2a::Dialect;

/// Returns the dialect of a path, and the path without the prefix of 0.3.
pub(super) fn dialect(path: &str) -> (Dialect, &str) {
    match path.strip_prefix("/v1/") {
        Some(rest) => (Dialect::V0_3, rest),
        None => (Dialect::V1, path),
    }
}

/// Returns the method that a request calls, with its parameters.
pub(super) fn method(
    http: &str,
    path: &str,
    query: &str,
    body: &str,
) -> Result<Method, RefusedOperation> {
    let (dialect, below) = dialect(path);
    let parsed = || {
        let params = parse(if body.trim().is_empty() { "{}" } else { body })?;
        Ok(if dialect == Dialect::V1 { params } else { params_from_v03(params, Binding::Rest) })
    };
    let steps: Vec<&str> = below.trim_matches('/').split('/').collect();
    let mut params = Value::Object(Vec::new());
    for (key, value) in pairs(query) {
        params.insert(&key, value.into());
    }
    let name = match (http, &steps[..]) {
        ("GET", ["card"]) if dialect == Dialect::V0_3 => Name::ExtendedCard,
        ("POST", ["message:send"]) => return Method::of(Name::Send, parsed()?),
        ("POST", ["message:stream"]) => return Method::of(Name::Stream, parsed()?),
        ("GET", ["tasks"]) => Name::List,
        ("GET", ["extendedAgentCard"]) if dialect == Dialect::V1 => Name::ExtendedCard,
        (_, ["tasks", _, "pushNotificationConfigs", ..]) => Name::Push,
        (_, ["tasks", task]) => {
            let (id, name) = match (http, task.rsplit_once(':')) {
                ("POST", Some((id, "cancel"))) => (id, Name::Cancel),
                ("GET" | "POST", Some((id, "subscribe"))) => (id, Name::Subscribe),
                ("GET", _) => (*task, Name::Get),
                _ => return Err(unknown_path(http, path)),
            };
            params.insert("id", decoded(id).into());
            name
        }
        _ => return Err(unknown_path(http, path)),
    };
    Method::of(name, params)
}

fn unknown_path(http: &str, path: &str) -> RefusedOperation {
    RefusedOperation::new(
        ErrorKind::MethodNotFound,
        ["There is nothing at ", http, " ", &excerpt(path)].concat(),
    )
}
