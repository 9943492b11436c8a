//! One request to a server that has the protocol of the client, byte by byte.

use std::string::String;
use std::vec::Vec;

use reqwest::header::HeaderMap;

use super::call::{CallError, Model, ModelBytes, Prepared};
use crate::convert::RawRequest;
use crate::emit::AnswerStream;

/// A request that is passed on to a server of its protocol.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PassedRequest<'r> {
    /// The request. Its protocol is that of the model.
    pub request: &'r RawRequest,
    /// Headers of the client. Those of the [`Model`] replace them.
    pub headers: HeaderMap,
    /// The query of the client. Parameters that the URL of the model has are left out.
    pub query: Option<&'r str>,
    /// A path below that of the protocol, such as `count_tokens`; empty for an answer.
    pub below: &'r str,
}

impl<'r> PassedRequest<'r> {
    /// Creates a request without headers and query of the client.
    pub fn new(request: &'r RawRequest) -> Self {
        PassedRequest { request, headers: HeaderMap::new(), query: None, below: "" }
    }
}

/// Sends the bytes of a request, and returns the answer: a stream or a JSON text, as the request
/// asks for. Only the name and the [settings](Model::settings) of this [`Model`] are added, if it has any. A request with
/// strings in which agentwire has sealed the state of a model is written anew, so that they become
/// that state again ([`RequestHead::is_sealed`](crate::convert::RequestHead::is_sealed)).
///
/// # Errors
///
/// [`CallError`] as of [`call_model`](super::call_model).
pub async fn pass_request(
    model: &Model,
    passed: PassedRequest<'_>,
) -> Result<AnswerStream<ModelBytes>, CallError> {
    let mut options = model.options();
    options.stream = None;
    let is_answer = passed.below.is_empty();
    let without_settings;
    let model = match is_answer {
        true => model,
        false => {
            without_settings = model.without_settings();
            &without_settings
        }
    };
    let Prepared { mut url, json, back, losses } = model.prepare(passed.request, &options)?;
    if let Ok(mut path) = url.path_segments_mut()
        && !is_answer
    {
        path.extend(passed.below.split('/'));
    }
    if let Some(query) = passed.query {
        let name = |pair: &str| String::from(pair.split('=').next().unwrap_or_default());
        let own = String::from(url.query().unwrap_or_default());
        let is_new = |pair: &&str| !own.split('&').any(|own| name(own) == name(pair));
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).filter(is_new);
        let all = own.split('&').filter(|pair| !pair.is_empty()).chain(pairs);
        let all = all.collect::<Vec<_>>().join("&");
        url.set_query((!all.is_empty()).then_some(&all));
    }
    let bytes = model.send(url, passed.headers, json).await?;
    let mut answer = AnswerStream::new(model.protocol(), bytes);
    (answer.back, answer.losses, answer.scope) = (back, losses, options.scope);
    Ok(answer)
}
