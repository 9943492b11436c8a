//! An edge worker in Rust, and the functions of a page in Rust that reads its response.
//! `worker.mjs` is the only JavaScript.

use agentwire::ProtocolKind;
use agentwire::adapters::web::{self, Ts, Tsify};
use agentwire::agent_api::request::AgentRequest;
use agentwire::agent_api::{AgentApi, Snapshot};
use agentwire::builder::RandomIds;
use agentwire::emit::{ConversationRequest, EmitOptions, emit};
use agentwire::hub::conversation::Conversation;
use agentwire::{Change, Limits, Reader};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Request, Response};

/// Answers `POST /process` in the Agent API. Repeats the user's text, word by word.
#[wasm_bindgen]
pub async fn fetch(request: Request) -> Result<Response, JsValue> {
    let asked = JsFuture::from(request.json()?).await?;
    let mut asked: AgentRequest = web::from_js(asked)?;
    asked.ensure_session(&mut RandomIds);
    let request = ConversationRequest::new(asked);
    let session = request.id().to_owned();
    let options = EmitOptions::random(ProtocolKind::AgentApi, web::now)
        .write(|write| write.session_id(session));
    let emission = emit(options, async move |out| {
        let text = request.text();
        let call = out.call("count_words").await;
        call.arguments("{}").await;
        call.result(&text.split_whitespace().count().to_string()).await;
        for word in text.split_inclusive(' ') {
            out.text(word).await;
        }
        Ok(())
    });
    web::respond(emission.map_err(|misuse| misuse.to_string())?)
}

/// Reads a response and passes each text delta to `show`. Returns an object with the final
/// `snapshot` and the `report`.
#[wasm_bindgen]
pub async fn read(response: Response, show: &js_sys::Function) -> Result<JsValue, JsValue> {
    let mut run = web::read(&response, Reader::new(AgentApi::default()))?;
    while let Some(changes) = run.next_changes().await? {
        for change in changes {
            if let Change::Append { piece, .. } = change {
                show.call1(&JsValue::NULL, &piece.into())?;
            }
        }
    }
    web::to_js(&run.finish())
}

/// Reads a response. TypeScript has the type of the result.
#[wasm_bindgen]
pub async fn snapshot(response: Response) -> Result<Ts<Snapshot>, JsValue> {
    let mut run = web::read(&response, Reader::new(AgentApi::default()))?;
    while run.next_changes().await?.is_some() {}
    run.finish().snapshot.into_ts().map_err(|error| JsError::from(error).into())
}

/// Returns the messages, tools and settings of a request of the Agent API.
#[wasm_bindgen]
pub fn conversation(body: &str) -> Result<Ts<Conversation>, JsError> {
    let conversation = Conversation::read(ProtocolKind::AgentApi, body, &Limits::default())
        .map_err(|error| JsError::new(&error.to_string()))?;
    Ok(conversation.into_ts()?)
}

/// Reads a response until the first changes arrive, then cancels the stream.
#[wasm_bindgen]
pub async fn peek(response: Response) -> Result<JsValue, JsValue> {
    let mut run = web::read(&response, Reader::new(AgentApi::default()))?;
    run.next_changes().await?;
    web::to_js(&run.abort().report)
}
