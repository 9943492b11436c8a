//! The limits for clients: options of the command line, and members of the configuration file.

use std::fmt;
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

use super::connections;
use crate::input::Unreadable;

/// The limits that are set. An option of the command line precedes the member of the file.
#[derive(Clone, Debug, Default, clap::Args, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LimitOptions {
    /// How long a connection may be idle, and take for the head of a request. Default: 10.
    #[arg(long = "head-timeout", value_name = "SECONDS")]
    head_timeout_seconds: Option<NonZeroU32>,
    /// How long the body of a request may take. Default: 30.
    #[arg(long = "body-timeout", value_name = "SECONDS")]
    body_timeout_seconds: Option<NonZeroU32>,
    /// How long a client may receive nothing while an answer waits for it. Default: 60.
    #[arg(long = "write-timeout", value_name = "SECONDS")]
    write_timeout_seconds: Option<NonZeroU32>,
    /// The length of the head of a request. Default: 65536.
    #[arg(long, value_name = "BYTES")]
    max_head_bytes: Option<NonZeroUsize>,
    /// The number of headers of a request. Default: 100.
    #[arg(long, value_name = "NUMBER")]
    max_headers: Option<NonZeroUsize>,
    /// The length of the body of a request. Default: 4194304.
    #[arg(long, value_name = "BYTES")]
    max_body_bytes: Option<NonZeroUsize>,
    /// How many connections are open at once. Default: 1000, or as many as the limit on descriptors
    /// allows.
    #[arg(long, value_name = "NUMBER")]
    max_connections: Option<usize>,
    /// How many requests of one client, that is, of the keys with one name, are answered at once.
    /// Default: any number.
    #[arg(long, value_name = "NUMBER")]
    max_requests_per_client: Option<NonZeroUsize>,
}

/// The limits in force.
#[derive(Clone, Debug)]
pub struct Limits {
    pub head_timeout: Duration,
    pub body_timeout: Duration,
    pub write_timeout: Duration,
    pub max_head_bytes: usize,
    pub max_headers: usize,
    pub max_body_bytes: usize,
    pub max_connections: usize,
    pub max_requests_per_client: Option<usize>,
}

impl LimitOptions {
    /// Returns the limits in force, where `others` are those of the file.
    pub fn or(&self, others: &LimitOptions) -> Result<Limits, Unreadable> {
        let seconds = |set: Option<NonZeroU32>, other: Option<NonZeroU32>, usual: u64| {
            Duration::from_secs(set.or(other).map_or(usual, |seconds| seconds.get().into()))
        };
        let number = |set: Option<NonZeroUsize>, other: Option<NonZeroUsize>| {
            set.or(other).map(NonZeroUsize::get)
        };
        Ok(Limits {
            head_timeout: seconds(self.head_timeout_seconds, others.head_timeout_seconds, 10),
            body_timeout: seconds(self.body_timeout_seconds, others.body_timeout_seconds, 30),
            write_timeout: seconds(self.write_timeout_seconds, others.write_timeout_seconds, 60),
            max_head_bytes: number(self.max_head_bytes, others.max_head_bytes).unwrap_or(64 << 10),
            max_headers: number(self.max_headers, others.max_headers).unwrap_or(100),
            max_body_bytes: number(self.max_body_bytes, others.max_body_bytes).unwrap_or(4 << 20),
            max_connections: connections::most(self.max_connections.or(others.max_connections))?,
            max_requests_per_client: number(
                self.max_requests_per_client,
                others.max_requests_per_client,
            ),
        })
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limits { head_timeout, body_timeout, write_timeout, .. } = self;
        write!(f, "{} connections, ", self.max_connections)?;
        if let Some(most) = self.max_requests_per_client {
            write!(f, "{most} requests of a client, ")?;
        }
        write!(
            f,
            "head {} bytes, {} headers, {head_timeout:?}; ",
            self.max_head_bytes, self.max_headers
        )?;
        write!(f, "body {} bytes, {body_timeout:?}; write {write_timeout:?}", self.max_body_bytes)
    }
}
