//! Agents that call a model and run its tools.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use agentwire::ProtocolKind;
use agentwire::agent_api::request::{AgentRequest, InputMessage};
use agentwire::emit::{AnyError, EmitOptions, Out, emit};
use agentwire::hub::EndError;
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
    let schema =
        Value::parse(r#"{"type":"object","properties":{"city":{"type":"string"}}}"#, 8).unwrap();
    Tools::default().with("get_weather", "Returns the weather.", schema, move |arguments| {
        let runs = runs.clone();
        async move {
            runs.fetch_add(1, SeqCst);
            Ok(format!(
                "21 degrees in {}",
                arguments.get("city").and_then(Value::as_str).unwrap_or("?")
            ))
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
            assert!(
                answer.contains("I look. ") && answer.contains("21 degrees in Beijing"),
                "{answer}"
            );
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
    for (rounds, calls, reason, requests) in
        [(3, 50, "max_rounds", 3), (8, 50, "max_rounds", 8), (8, 0, "tool_calls", 1)]
    {
        let before = fake.asked().len();
        let mut limits = ToolLimits::default();
        assert_eq!((limits.rounds, limits.calls), (8, 50));
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
        let answered =
            shown.tool_calls.iter().filter(|call| call.state.as_str() == "answered").count();
        assert_eq!(
            (shown.tool_calls.len(), answered),
            (requests, if calls > 0 { requests } else { 0 })
        );
        assert_eq!(fake.asked().len() - before, requests);
    }
}

#[tokio::test]
async fn unknown_tools_are_left_to_the_client() {
    let fake = Fake::start(|_| Answer::Stream(corpus("chat", "tool_call"))).await;
    let model = model(ProtocolKind::Chat, &fake);
    let answer = written(ProtocolKind::AgUi, async |out| {
        let end =
            run_tools(&out, &model, request(), &Tools::default(), ToolLimits::default()).await?;
        out.end(end);
        Ok(())
    })
    .await;
    let direct =
        crate::converted(ProtocolKind::Chat, ProtocolKind::AgUi, &corpus("chat", "tool_call"));
    let [answer, direct] =
        [answer, direct].map(|it| Content::of(ProtocolKind::AgUi, it.as_bytes()));
    assert_eq!(answer, direct);
}

/// Runs a tool whose result the model repeats. Returns the answer of the agent, the results in the
/// requests, and the errors that were reported with their ids, by `on_error`.
async fn failing(
    tool: impl Fn() -> Result<String, AnyError> + Send + Sync + 'static,
    calls: &'static str,
    mut shown: impl FnMut() -> Option<EndError> + Send + 'static,
) -> (String, Vec<String>, Vec<(String, String)>) {
    let fake = Fake::start(move |asked| {
        let is_first = asked.body["messages"].as_array().unwrap().len() == 1;
        Answer::Stream(corpus("chat", if is_first { calls } else { "text" }))
    })
    .await;
    let (model, tool) = (model(ProtocolKind::Chat, &fake), Arc::new(tool));
    let tools = ["get_weather", "a", "b"].into_iter().fold(Tools::default(), |tools, name| {
        let tool = tool.clone();
        tools.with(name, "", Value::Null, move |_| {
            let tool = tool.clone();
            async move { tool() }
        })
    });
    let errors = Arc::new(Mutex::new(Vec::new()));
    let reported = errors.clone();
    let options = EmitOptions::random(ProtocolKind::AgUi, || 0).on_error(move |failure| {
        let error = format!("{}: {}", failure.tool.unwrap(), failure.error);
        reported.lock().unwrap().push((error, failure.id.to_owned()));
        shown()
    });
    let agent = async |out: Out| {
        let end = run_tools(&out, &model, request(), &tools, ToolLimits::default()).await?;
        out.end(end);
        Ok(())
    };
    let answer: String = emit(options, agent).unwrap().collect().await;
    assert_legal(ProtocolKind::AgUi, &answer);
    let asked = fake.asked();
    let messages = asked.last().unwrap().body["messages"].as_array().unwrap();
    let of_tools = messages.iter().filter(|message| message["role"] == "tool");
    let results = of_tools.map(|message| message["content"].as_str().unwrap().to_owned()).collect();
    assert_eq!(asked.len(), 2);
    (answer, results, Arc::into_inner(errors).unwrap().into_inner().unwrap())
}

#[tokio::test]
async fn an_error_of_a_tool_is_masked_and_reported_and_the_run_continues() {
    let (answer, results, errors) = failing(|| Err("a secret".into()), "tool_call", || None).await;
    let [(error, id)] = &errors[..] else { panic!("{errors:?}") };
    assert_eq!(error, "get_weather: a secret");
    assert_eq!(results, [format!("Error: the tool failed, its id is {id}")]);
    assert!(answer.contains(&results[0]) && answer.contains("RUN_FINISHED"), "{answer}");
    assert!(!answer.contains("a secret"), "{answer}");
}

#[tokio::test]
async fn the_result_of_on_error_is_sent_in_place_of_the_masked_error_of_a_tool() {
    let shown = || {
        let mut error = EndError::default();
        error.message = "no such city".into();
        Some(error)
    };
    let (answer, results, errors) = failing(|| Err("a secret".into()), "tool_call", shown).await;
    assert_eq!((results, errors.len()), (vec!["Error: no such city".to_owned()], 1));
    assert!(answer.contains("Error: no such city") && !answer.contains("a secret"), "{answer}");
}

#[tokio::test]
async fn each_call_whose_tool_fails_has_an_id_of_its_own() {
    let count = AtomicUsize::new(0);
    let every_second = move || match count.fetch_add(1, SeqCst) % 2 {
        0 => Err("a secret".into()),
        _ => Ok("fine".to_owned()),
    };
    let (_, results, errors) = failing(every_second, "parallel_tool_calls", || None).await;
    let failed: Vec<_> =
        errors.iter().map(|(_, id)| format!("Error: the tool failed, its id is {id}")).collect();
    assert!(results.len() > 1, "{results:?}");
    assert_eq!(results.iter().step_by(2).cloned().collect::<Vec<_>>(), failed);
    assert!(results.iter().skip(1).step_by(2).all(|result| result == "fine"), "{results:?}");
}

#[cfg(feature = "runs-server")]
#[tokio::test]
async fn a_run_of_the_runs_service_goes_on_after_the_error_of_a_tool() {
    use agentwire::adapters::axum::runs::RunsEndpoints;
    use agentwire::adapters::axum::{AgentContext, AgentService};
    use agentwire::emit::ConversationRequest;
    use agentwire::stores::MemoryStore;
    use axum::body::{Body, to_bytes};
    use axum::http::{Request, request::Parts};

    let fake = Fake::start(|asked| {
        let is_first = asked.body["messages"].as_array().unwrap().len() == 1;
        Answer::Stream(corpus("chat", if is_first { "tool_call" } else { "text" }))
    })
    .await;
    let tools =
        Tools::default().with("get_weather", "", Value::Null, async |_| Err("a secret".into()));
    let shared = Arc::new((model(ProtocolKind::Chat, &fake), tools));
    let agent = move |out: Out, _: ConversationRequest, _: AgentContext| {
        let shared = shared.clone();
        async move {
            let end =
                run_tools(&out, &shared.0, request(), &shared.1, ToolLimits::default()).await?;
            out.end(end);
            Ok::<(), AnyError>(())
        }
    };
    let errors = Arc::new(Mutex::new(Vec::new()));
    let reported = errors.clone();
    let user = async |_: Parts| Ok::<_, AnyError>(Some("ann".to_owned()));
    let runs = AgentService::new(agent)
        .authenticate(user)
        .on_error(move |failure| {
            reported.lock().unwrap().push(failure.error.to_string());
            None
        })
        .store(MemoryStore::default())
        .runs(RunsEndpoints::default());
    let ask = async |method: &str, path: &str, body: &'static str| {
        let request =
            Request::builder().method(method).uri(format!("http://localhost/api/v1/agent{path}"));
        let request =
            request.header("content-type", "application/json").body(Body::from(body)).unwrap();
        let body = runs.respond(request).await.into_body();
        String::from_utf8(to_bytes(body, 1 << 20).await.unwrap().to_vec()).unwrap()
    };
    let body = r#"{"threadId":"5f0c8e0e-6c4f-4b5c-9d0a-1f1f9f0f7a11","runId":"r","messages":[{"id":"m","role":"user","content":"Weather?"}],"forwardedProps":{"runtime_mode":"chat"}}"#;
    ask("POST", "/runs", body).await;
    let events = ask("GET", "/runs/5f0c8e0e-6c4f-4b5c-9d0a-1f1f9f0f7a11/events?runId=r", "").await;
    assert!(events.contains("Error: the tool failed, its id is error_"), "{events}");
    assert!(events.contains("RUN_FINISHED") && !events.contains("a secret"), "{events}");
    assert_eq!(*errors.lock().unwrap(), ["a secret"]);
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
    assert_eq!(
        Model::new(ProtocolKind::Toy, "http://127.0.0.1").unwrap_err().code,
        "protocol-not-called"
    );
    assert_eq!(model.key("a\nb").unwrap_err().code, "key-invalid");
}
