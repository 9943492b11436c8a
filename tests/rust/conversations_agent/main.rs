//! `conversations_agent PROTOCOL UPSTREAM MODEL PARAMETERS`: an agent with two tools of its own, in
//! every protocol that is written. Its tools are those of `paths/handler.mjs`, so that the same
//! fake models call both. PARAMETERS is a JSON object whose members are added to each request.

use std::sync::Arc;

use agentwire::{
    adapters::axum::AgentService,
    emit::{AnyError, ConversationRequest, Out},
    hub::EndError,
    json::Value,
    model::{Model, ToolLimits, Tools, run_tools},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), AnyError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [protocol, upstream, name, parameters] = &arguments[..] else {
        return Err("usage: conversations_agent PROTOCOL UPSTREAM MODEL PARAMETERS".into());
    };
    let protocol =
        Model::protocols().find(|known| known.as_str() == protocol).ok_or("unknown protocol")?;
    let model = Model::new(protocol, upstream)?.name(name).key("test-key")?;
    let shared = Arc::new((model, tools()?, json(parameters)?));
    let service = AgentService::new(move |out: Out, mut request: ConversationRequest, _| {
        let shared = shared.clone();
        async move {
            let (model, tools, parameters) = &*shared;
            if let Value::Object(members) = parameters {
                request.as_agent_request_mut().extra.extend(members.iter().cloned());
            }
            Ok(run_tools(&out, model, request, tools, ToolLimits::default()).await?)
        }
    })
    // A failed test prints the error of the model, so the client receives it.
    .on_error(|failure| {
        let mut error = EndError::default();
        error.message = failure.error.to_string();
        Some(error)
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("conversations_agent: listening on http://{}", listener.local_addr()?);
    axum::serve(listener, axum::Router::new().fallback_service(service)).await?;
    Ok(())
}

fn json(text: &str) -> Result<Value, AnyError> {
    Value::parse(text, 16).map_err(|error| format!("{error:?}").into())
}

fn tools() -> Result<Tools, AnyError> {
    let schema = r#"{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}"#;
    let city = |arguments: &Value| {
        arguments.get("city").and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    Ok(Tools::default()
        .with("get_weather", "Returns the weather of a city.", json(schema)?, move |arguments| {
            let city = city(&arguments);
            async move { Ok(format!("18 degrees in {city}")) }
        })
        .with("get_time", "Returns the time in a city.", json(schema)?, move |arguments| {
            let city = city(&arguments);
            async move { Ok(format!("12:00 in {city}")) }
        }))
}
