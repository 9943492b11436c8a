//! Agents that call a model and run its tools.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use agentwire::ProtocolKind;
use agentwire::agent_api::request::{AgentRequest, InputMessage};
use agentwire::emit::{AnyError, EmitOptions, Out, emit};
use agentwire::json::Value;
use agentwire::model::{Model, ToolLimits, Tools, call_model, run_tools};
use futures_util::StreamExt as _;

use crate::corpus;
use crate::fake::{Answer, Fake};
use crate::program::{CLIENTS, Content, assert_legal, shown};

fn model(protocol: ProtocolKind, fake: &Fake) -> Model {
    Model::new(protocol, &fake.url).unwrap().name("small").key("key").unwrap()
}

async fn written<A: Future<Output = Result<(), AnyError>>>(
    protocol: ProtocolKind,
    agent: impl FnOnce(Out) -> A,
) -> String {
    let answer: String = emit(EmitOptions::random(protocol, || 0), agent).unwrap().collect().await;
    assert_legal(protocol, &answer);
    answer
}

fn request() -> AgentRequest {
    AgentRequest::new(vec![InputMessage::user("Weather?")])
}

fn tools(runs: Arc<AtomicUsize>) -> Tools {
    let schema = Value::parse(r#"{"type":"object","properties":{"city":{"type":"string"}}}"#, 8).unwrap();
    Tools::default().with("get_weather", "Returns the weather.", schema, move |arguments| {
        let runs = runs.clone();
        async move {
            runs.fetch_add(1, SeqCst);
            Ok(format!("21 degrees in {}", arguments.get("city").and_then(Value::as_str).unwrap_or("?")))
        }
    })
}

#[tokio::test]
async fn the_model_receives_tool_results() {
    for (protocol, called, said) in
        [(ProtocolKind::Chat, "tool_call", "text"), (ProtocolKind::Anthropic, "tool_use", "text")]
    {
        let name = protocol.as_str();
        let fake = Fake::start(move |asked| {
            let is_first = asked.body["messages"].as_array().unwrap().len() == 1;
            Answer::Stream(corpus(name, if is_first { called } else { said }))
        })
        .await;
        for (client, ..) in CLIENTS {
            let (model, runs) = (model(protocol, &fake), Arc::new(AtomicUsize::new(0)));
            let tools = tools(runs.clone());
            let answer = written(client, async |out| {
                out.text("I look. ").await;
                let end = run_tools(&out, &model, request(), &tools, ToolLimits::default()).await?;
                out.end(end);
                Ok(())
            })
            .await;
            assert_eq!(runs.load(SeqCst), 1, "{client:?}");
            assert!(answer.contains("I look. ") && answer.contains("21 degrees in Beijing"), "{answer}");
        }
        let asked = fake.asked();
        let [first, second] = &asked[..2] else { panic!("two requests") };
        assert!(first.body["tools"].to_string().contains("get_weather"));
        let messages = second.body["messages"].to_string();
        for part in ["Weather?", "get_weather", "Beijing", "21 degrees in Beijing"] {
            assert!(messages.contains(part), "{messages}");
        }
        assert_eq!(asked.len(), 2 * CLIENTS.len());
    }
}

#[tokio::test]
async fn tool_rounds_and_calls_are_limited() {
    let fake = Fake::start(|_| Answer::Stream(corpus("chat", "tool_call"))).await;
    let model = model(ProtocolKind::Chat, &fake);
    for (rounds, calls, reason, requests) in [(3, 50, "tool_rounds", 3), (10, 0, "tool_calls", 1)] {
        let before = fake.asked().len();
        let mut limits = ToolLimits::default();
        (limits.rounds, limits.calls) = (rounds, calls);
        let tools = tools(Arc::default());
        let answer = written(ProtocolKind::AgentApi, async |out| {
            let end = run_tools(&out, &model, request(), &tools, limits).await?;
            assert_eq!(end.reason.as_deref(), Some(reason));
            out.end(end);
            Ok(())
        })
        .await;
        assert!(answer.contains(r#""status":"incomplete""#), "{answer}");
        // Each answer has a call of the same id: the client receives them as several.
        let shown = shown(ProtocolKind::AgentApi, answer.as_bytes()).snapshot;
        let answered = shown.tool_calls.iter().filter(|call| call.state.as_str() == "answered").count();
        assert_eq!((shown.tool_calls.len(), answered), (requests, if calls > 0 { requests } else { 0 }));
        assert_eq!(fake.asked().len() - before, requests);
    }
}

#[tokio::test]
async fn unknown_tools_are_left_to_the_client() {
    let fake = Fake::start(|_| Answer::Stream(corpus("chat", "tool_call"))).await;
    let model = model(ProtocolKind::Chat, &fake);
    let answer = written(ProtocolKind::AgUi, async |out| {
        let end = run_tools(&out, &model, request(), &Tools::default(), ToolLimits::default()).await?;
        out.end(end);
        Ok(())
    })
    .await;
    let direct = crate::converted(ProtocolKind::Chat, ProtocolKind::AgUi, &corpus("chat", "tool_call"));
    let [answer, direct] = [answer, direct].map(|it| Content::of(ProtocolKind::AgUi, it.as_bytes()));
    assert_eq!(answer, direct);
}

#[tokio::test]
async fn a_tool_error_fails_the_run_and_is_masked() {
    let fake = Fake::start(|_| Answer::Stream(corpus("chat", "tool_call"))).await;
    let model = model(ProtocolKind::Chat, &fake);
    let tools = Tools::default().with("get_weather", "", Value::Null, async |_| Err("a secret".into()));
    let answer = written(ProtocolKind::AgUi, async |out| {
        run_tools(&out, &model, request(), &tools, ToolLimits::default()).await?;
        Ok(())
    })
    .await;
    assert!(answer.contains("an internal error happened") && !answer.contains("a secret"), "{answer}");
}

#[tokio::test]
async fn a_model_response_can_be_read_directly() {
    let fake = Fake::start(|_| Answer::Stream(corpus("anthropic", "text"))).await;
    let answer = call_model(&model(ProtocolKind::Anthropic, &fake), &request()).await.unwrap();
    assert_eq!(answer.bytes.status(), 200);
    let outcome = answer.read().outcome().await.unwrap();
    assert_eq!(outcome.snapshot.protocol(), ProtocolKind::Anthropic);
    assert!(outcome.report.violations.is_empty());
}

#[tokio::test]
async fn several_responses_and_own_output_form_one_run() {
    let fake = Fake::start(|_| Answer::Stream(corpus("chat", "reasoning_content"))).await;
    let model = model(ProtocolKind::Chat, &fake);
    for (client, ..) in CLIENTS {
        let answer = written(client, async |out| {
            out.text("one ").await;
            let [first, second] =
                [call_model(&model, &request()).await?, call_model(&model, &request()).await?];
            let other = out.clone();
            let (first, second) = tokio::join!(out.forward(first), other.forward(second));
            assert_eq!(first?.calls.len() + second?.calls.len(), 0);
            out.text(" two").await;
            Ok(())
        })
        .await;
        assert!(answer.contains("one ") && answer.contains(" two"), "{answer}");
    }
}

#[test]
fn the_key_is_not_printed() {
    let model = Model::new(ProtocolKind::Chat, "http://127.0.0.1").unwrap().key("sk-1").unwrap();
    assert!(!format!("{model:?}").contains("sk-1"));
    #[cfg(feature = "toy")]
    assert_eq!(Model::new(ProtocolKind::Toy, "http://127.0.0.1").unwrap_err().code, "protocol-not-called");
    assert_eq!(model.key("a\nb").unwrap_err().code, "key-invalid");
}
