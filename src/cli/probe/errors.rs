//! The judgment of refusals: their status, and the form of their body.

use agentwire::json::Value;

use super::check::{ErrorForm, Fault, Judged, expect};
use super::evidence::{Evidence, at};
use super::shared::is_json;

/// Judges whether a request was refused.
pub fn refused(evidence: &Evidence<'_>) -> Judged {
    evidence.ended()?;
    let status = evidence.response().status;
    if evidence.contract.errors == ErrorForm::JsonRpc && status == 200 {
        // The error is in the body, whatever the status is.
        let has_error = evidence.json()?.get("error").is_some();
        return expect(has_error, || format!("no error: {}", evidence.answer.excerpt()));
    }
    expect((400..500).contains(&status), || {
        format!("the status is {status}: {}", evidence.answer.excerpt())
    })
}

/// Judges the form of the body of an error.
pub fn form(evidence: &Evidence<'_>) -> Judged {
    let status = evidence.response().status;
    if evidence.contract.errors != ErrorForm::JsonRpc && !(400..600).contains(&status) {
        return Err(Fault::skipped("the request was not refused"));
    }
    let kind = evidence.response().media_type();
    expect(is_json(&kind), || format!("the content type is `{kind}`"))?;
    let body = evidence.json()?;
    let wrong = |what: &str| Err(Fault::failed(format!("{what}: {}", evidence.answer.excerpt())));
    let is_text =
        |path: &str| at(&body, path).and_then(Value::as_str).is_some_and(|s| !s.is_empty());
    match evidence.contract.errors {
        ErrorForm::Open => Ok(()),
        ErrorForm::OpenAi if !is_text("error.message") => wrong("`error.message` is no text"),
        ErrorForm::OpenAi if !is_text("error.type") => wrong("`error.type` is no text"),
        ErrorForm::Anthropic if at(&body, "type").and_then(Value::as_str) != Some("error") => {
            wrong("`type` is not \"error\"")
        }
        ErrorForm::Anthropic if !is_text("error.type") => wrong("`error.type` is no text"),
        ErrorForm::Anthropic if !is_text("error.message") => wrong("`error.message` is no text"),
        ErrorForm::Detail
            if !matches!(body.get("detail"), Some(Value::String(_) | Value::Array(_))) =>
        {
            wrong("`detail` is neither a text nor a list")
        }
        ErrorForm::JsonRpc if at(&body, "jsonrpc").and_then(Value::as_str) != Some("2.0") => {
            wrong("`jsonrpc` is not \"2.0\"")
        }
        ErrorForm::JsonRpc if !matches!(at(&body, "error.code"), Some(Value::Number(_))) => {
            wrong("`error.code` is no number")
        }
        ErrorForm::JsonRpc if !is_text("error.message") => wrong("`error.message` is no text"),
        ErrorForm::JsonRpc if body.get("id").is_none() => wrong("`id` is missing"),
        _ => Ok(()),
    }
}
