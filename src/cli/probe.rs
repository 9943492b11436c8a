//! `agentwire probe`: asks a server of a protocol, and judges its answers.

mod check;
mod client;
mod contracts;
mod errors;
mod evidence;
mod output;
mod run;
mod scenario;
mod secrets;
mod sent;
mod shared;

use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::input::Unreadable;
use check::{Check, Contract};
use client::{Client, Key};
use contracts::CONTRACTS;
use output::Table;
use secrets::Secrets;
use sent::Target;

/// The variable with the key.
const KEY: &str = "AGENTWIRE_PROBE_KEY";

#[derive(clap::Args)]
pub struct Arguments {
    /// The server: the base URL of a model, such as `https://api.openai.com/v1`, or the endpoint of
    /// an agent.
    #[arg(required_unless_present = "list")]
    url: Option<String>,
    /// The protocol of the server.
    #[arg(long, value_name = "PROTOCOL", value_parser = contract())]
    protocol: &'static Contract,
    /// The model that requests name.
    #[arg(long, value_name = "NAME", default_value = "default")]
    model: String,
    /// The key, in the header that the protocol has for it. Default: the variable
    /// AGENTWIRE_PROBE_KEY.
    #[arg(long)]
    key: Option<String>,
    /// A header of each request; may be repeated.
    #[arg(long, value_name = "NAME: VALUE")]
    header: Vec<String>,
    /// How long the response to a request may take, to its end.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// The checks to run, by their names or the beginning of them; may be repeated.
    #[arg(long, value_name = "CHECK", value_delimiter = ',')]
    only: Vec<String>,
    /// Print the checks, and send nothing.
    #[arg(long)]
    list: bool,
    /// Also fail if a check of the level `should` fails.
    #[arg(long)]
    strict: bool,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum OutputFormat {
    /// A line per check, and a last line that counts.
    Text,
    /// One JSON object.
    Json,
    /// A test suite in the XML of JUnit.
    Junit,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Unreadable> {
    let contract = arguments.protocol;
    if arguments.list {
        output::list(contract, arguments.format == OutputFormat::Json)?;
        return Ok(ExitCode::SUCCESS);
    }
    let checks = chosen(contract, &arguments.only)?;
    let url = server_url(arguments.url.as_deref().unwrap_or_default())?;
    let mut secrets = Secrets::default();
    url.query_pairs().for_each(|(_, value)| secrets.add(&value));
    let key = key(arguments, &mut secrets)?;
    let headers = headers(arguments, &mut secrets)?;
    let timeout = Duration::from_secs(arguments.timeout);
    let client = Client::new(key, headers, secrets.clone(), timeout).map_err(Unreadable)?;
    let target = Target { url, model: arguments.model.clone() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Unreadable(format!("cannot start: {error}")))?;
    let is_quiet = arguments.format != OutputFormat::Text;
    let mut table = Table { secrets: secrets.clone(), is_quiet, failure: None };
    let probing = run::run(contract, &target, &client, &checks, &mut table);
    let findings = runtime.block_on(probing).map_err(Unreadable)?;
    if let Some(failure) = table.failure {
        return Err(failure);
    }
    match arguments.format {
        OutputFormat::Text => output::summarize(&findings)?,
        OutputFormat::Json => {
            let mut shown = target.url.clone();
            // A query may have a key.
            shown.set_query(None);
            output::json(contract, shown.as_str(), &findings, &secrets)?;
        }
        OutputFormat::Junit => output::junit(contract, &findings, &secrets)?,
    }
    let tally = findings.tally();
    let has_failed = tally.failed > 0 || arguments.strict && tally.warned > 0;
    Ok(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Reads the name of a protocol whose servers can be probed.
fn contract() -> impl TypedValueParser<Value = &'static Contract> {
    let names = CONTRACTS.iter().map(|contract| contract.protocol.as_str());
    PossibleValuesParser::new(names).map(|name| {
        let named = CONTRACTS.iter().find(|contract| contract.protocol.as_str() == name);
        named.copied().unwrap_or(CONTRACTS[0])
    })
}

/// Returns the checks with these names, or with names that begin with one of them; all without
/// names.
fn chosen(contract: &Contract, only: &[String]) -> Result<Vec<&'static Check>, Unreadable> {
    let all: Vec<&'static Check> = contract.all_checks().collect();
    let is_chosen = |check: &Check, name: &str| match check.id.strip_prefix(name) {
        Some(rest) => rest.is_empty() || rest.starts_with('-'),
        None => false,
    };
    if let Some(name) = only.iter().find(|name| !all.iter().any(|check| is_chosen(check, name))) {
        let protocol = contract.protocol.as_str();
        return Err(Unreadable(format!("--only: {protocol} has no check `{name}`; use --list")));
    }
    let is_wanted =
        |check: &&Check| only.is_empty() || only.iter().any(|name| is_chosen(check, name));
    Ok(all.into_iter().filter(is_wanted).collect())
}

fn server_url(text: &str) -> Result<Url, Unreadable> {
    let url = Url::parse(text.trim()).ok();
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let Some(url) = url else {
        return Err(Unreadable("the URL starts with http:// or https:// and has a host".into()));
    };
    match url.username().is_empty() && url.password().is_none() {
        true => Ok(url),
        false => {
            Err(Unreadable("the URL has a user name or a password: use --key or --header".into()))
        }
    }
}

/// Returns the key of the arguments, or of the variable.
fn key(arguments: &Arguments, secrets: &mut Secrets) -> Result<Option<Key>, Unreadable> {
    let of_variable = || std::env::var(KEY).ok();
    let key = arguments.key.clone().or_else(of_variable).filter(|key| !key.trim().is_empty());
    let Some(key) = key else { return Ok(None) };
    secrets.add(&key);
    let value = |before: &str| {
        let value = HeaderValue::from_str(&[before, key.trim()].concat());
        let mut value = value.map_err(|_| Unreadable("the key cannot be in a header".into()))?;
        value.set_sensitive(true);
        Ok(value)
    };
    let (name, before) = arguments.protocol.key;
    Ok(Some(Key {
        name: HeaderName::from_static(name),
        value: value(before)?,
        bearer: value("Bearer ")?,
    }))
}

/// Returns the headers of the arguments.
fn headers(arguments: &Arguments, secrets: &mut Secrets) -> Result<HeaderMap, Unreadable> {
    let mut headers = HeaderMap::new();
    for header in &arguments.header {
        let wrong = || Unreadable("--header has the form `name: value`".into());
        let (name, value) = header.split_once(':').ok_or_else(wrong)?;
        let name = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|_| wrong())?;
        let mut sent = HeaderValue::from_str(value.trim()).map_err(|_| wrong())?;
        sent.set_sensitive(true);
        headers.insert(name, sent);
        secrets.add(value);
        // The part after `Bearer` or `Basic`.
        value.trim().split_once(' ').iter().for_each(|(_, token)| secrets.add(token));
    }
    Ok(headers)
}
