//! A store by its address.

use std::boxed::Box;
use std::format;
use std::sync::Arc;

use super::{LogStore, MemoryStore, StoreError};

/// Opens a store by its address: `memory`; with the feature `sqlite`, `sqlite:PATH`; with
/// `postgres`, `postgres://…`; with `redis`, `redis://…`.
///
/// # Errors
///
/// The address has none of these forms, its feature is not enabled, or a SQLite file cannot be
/// opened. Databases behind a network are connected to when they are first needed.
pub fn open(address: &str) -> Result<Arc<dyn LogStore>, StoreError> {
    #[cfg(feature = "sqlite")]
    if let Some(path) = address.strip_prefix("sqlite:") {
        return Ok(Arc::new(super::SqliteStore::open(path)?));
    }
    #[cfg(feature = "postgres")]
    if address.starts_with("postgres://") || address.starts_with("postgresql://") {
        return Ok(Arc::new(super::PostgresStore::open(address)?));
    }
    #[cfg(feature = "redis")]
    if address.starts_with("redis://") || address.starts_with("rediss://") {
        return Ok(Arc::new(super::RedisStore::open(address)?));
    }
    match address {
        "memory" => Ok(Arc::new(MemoryStore::default())),
        _ => {
            let forms: &[&str] = &[
                "memory",
                #[cfg(feature = "sqlite")]
                "sqlite:PATH",
                #[cfg(feature = "postgres")]
                "postgres://…",
                #[cfg(feature = "redis")]
                "redis://…",
            ];
            // The address may have a password.
            Err(Box::from(format!("a store has the form {}", forms.join(" or "))))
        }
    }
}
