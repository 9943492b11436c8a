//! Agents that write while they are read.

use std::future::{Future as _, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use agentwire::ProtocolKind;
use agentwire::agent_api::builder::BuilderOptions;
use agentwire::builder::Counter;
use agentwire::emit::{
    AnswerStream, AnyError, EmitOptions, IntoAnswer, NoOutput, Out, Texts, Writer, emit,
};
use agentwire::hub::conversation::Back;
use agentwire::hub::{EndError, EndStatus, Payload, RunEnd};
use agentwire::json::Value;
use agentwire::read::AnyOptions;
use agentwire::{AnyReader, EndReason};
use futures_util::{StreamExt as _, stream};

fn written() -> Vec<ProtocolKind> {
    ProtocolKind::WRITABLE
        .iter()
        .copied()
        .filter(|kind| kind.is_writable() && kind.as_str() != "toy")
        .collect()
}

fn options(protocol: ProtocolKind) -> EmitOptions {
    EmitOptions::new(
        protocol,
        BuilderOptions::new(Counter::default(), || 1_700_000_000),
        Counter::default(),
    )
}

/// Returns the snapshot of a stream, which has to be legal, as JSON.
fn read(protocol: ProtocolKind, text: &str) -> String {
    let mut reader = AnyReader::with_options(protocol, AnyOptions::default());
    reader.push(text.as_bytes());
    let outcome = reader.finish();
    // The APIs of models end an answer that has failed with an error.
    let is_model = matches!(protocol, ProtocolKind::Chat | ProtocolKind::Anthropic);
    let expected = match is_model && text.contains("{\"error\":") || text.contains("event: error") {
        true => EndReason::ErrorFrame,
        false => EndReason::Terminal,
    };
    assert_eq!(outcome.report.end_reason, expected, "{text}");
    assert!(outcome.report.violations.is_empty(), "{:?}", outcome.report.violations);
    outcome.snapshot.to_json()
}

async fn run<R: IntoAnswer, A: Future<Output = Result<R, AnyError>>>(
    protocol: ProtocolKind,
    agent: impl FnOnce(Out) -> A,
) -> String {
    read(protocol, &emit(options(protocol), agent).unwrap().collect::<String>().await)
}

#[tokio::test]
async fn every_protocol_is_written_without_violations() {
    for protocol in written() {
        let answer = run(protocol, async |out| {
            out.reasoning("Hm").await;
            out.text("It is ").await;
            let one = out.call("weather").await;
            let two = out.call_with_id("time", "t1").await;
            one.arguments("{\"city\":").await;
            two.arguments("{}").await;
            one.arguments("\"Paris\"}").await;
            two.result("noon").await;
            one.result("21").await;
            out.text("21 degrees.").await;
            out.part(Payload::Image { url: Some("https://example.org/a.png") }).await;
            out.usage(Value::from([("total_tokens", 3.into())]));
            Ok(())
        })
        .await;
        for said in ["It is ", "21 degrees.", "weather", "t1", "noon"] {
            assert!(answer.contains(said), "{protocol:?}: {said}: {answer}");
        }
    }
}

#[tokio::test]
async fn every_end_of_an_agent_writes_a_terminal_event() {
    for protocol in written() {
        let failed = run(protocol, async |out| {
            out.text("half").await;
            Err::<(), AnyError>("secret".into())
        });
        let failed = failed.await;
        assert!(
            failed.contains("an internal error happened, its id is error_1")
                && !failed.contains("secret"),
            "{failed}"
        );
        let panicked = run(protocol, async |out| -> Result<(), AnyError> {
            out.text("half").await;
            panic!("secret")
        });
        assert!(panicked.await.contains("error_1"));
        let said = run(protocol, async |out| -> Result<(), AnyError> {
            out.fail("QUOTA", "no more today");
            out.text("nobody hears this").await;
            std::future::pending().await
        });
        let said = said.await;
        assert!(said.contains("no more today") && !said.contains("nobody"), "{said}");
    }
}

#[tokio::test]
async fn on_error_sets_the_error_sent_to_the_client() {
    let heard = Arc::new(AtomicBool::new(false));
    let hears = Arc::clone(&heard);
    let told = options(ProtocolKind::AgentApi).on_error(move |failure| {
        hears.store(
            failure.error.to_string() == "secret" && failure.id == "error_1",
            Ordering::Relaxed,
        );
        let mut told = EndError::default();
        told.code = Some("BUSY".to_owned());
        told.message = "try later".to_owned();
        Some(told)
    });
    let text: String =
        emit(told, async |_| Err::<(), AnyError>("secret".into())).unwrap().collect().await;
    assert!(heard.load(Ordering::Relaxed));
    assert!(
        read(ProtocolKind::AgentApi, &text).contains(r#""code":"BUSY","message":"try later""#),
        "{text}"
    );
}

#[tokio::test]
async fn backpressure_pauses_the_agent_and_dropping_the_stream_drops_it() {
    struct Gone(Arc<AtomicBool>);
    impl Drop for Gone {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let (pieces, gone) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let (counts, held) = (Arc::clone(&pieces), Gone(Arc::clone(&gone)));
    let mut emission =
        emit(options(ProtocolKind::AgKit), async move |out| -> Result<(), AnyError> {
            let _held = held;
            loop {
                out.text(&"x".repeat(1000)).await;
                counts.fetch_add(1, Ordering::Relaxed);
            }
        })
        .unwrap();
    assert!(emission.next().await.unwrap().len() >= 16 << 10);
    let first = pieces.load(Ordering::Relaxed);
    assert!((10..40).contains(&first), "{first}");
    emission.next().await.unwrap();
    assert!((first + 10..first + 40).contains(&pieces.load(Ordering::Relaxed)));
    assert!(!gone.load(Ordering::Relaxed));
    drop(emission);
    assert!(gone.load(Ordering::Relaxed));
}

#[tokio::test]
async fn several_tasks_write_and_heartbeats_keep_the_connection_open() {
    let beats = stream::unfold(0, async |beat| {
        tokio::time::sleep(Duration::from_millis(2)).await;
        Some(((), beat + 1))
    });
    let beating = options(ProtocolKind::AgentApi).heartbeat(beats);
    let emission = emit(beating, async |out| {
        let other = out.clone();
        let task = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            other.text("from a task").await;
        });
        task.await?;
        Ok(())
    });
    let text: String = emission.unwrap().collect().await;
    assert!(text.contains(": heartbeat\n\n"), "{text}");
    assert!(read(ProtocolKind::AgentApi, &text).contains("from a task"));
}

#[test]
fn read_only_protocols_are_rejected_by_the_writer() {
    let write = || BuilderOptions::new(Counter::default(), || 0);
    let refused = Writer::new(ProtocolKind::Gemini, write()).unwrap_err();
    assert_eq!(refused.code, "protocol-not-written");
}

/// An agent that ends without output is reported. Its answer is empty, and completed.
#[tokio::test]
async fn an_agent_without_output_is_reported() {
    for protocol in written() {
        for has_output in [false, true] {
            let reported = Arc::new(AtomicUsize::new(0));
            let count = reported.clone();
            let how = options(protocol).on_error(move |failure| {
                assert!(failure.error.is::<NoOutput>(), "{}", failure.error);
                count.fetch_add(1, Ordering::Relaxed);
                None
            });
            let agent = async |out: Out| {
                out.heartbeat();
                if has_output {
                    out.text("Hello").await;
                }
                Ok(())
            };
            let answer = read(protocol, &emit(how, agent).unwrap().collect::<String>().await);
            assert_eq!(
                reported.load(Ordering::Relaxed),
                usize::from(!has_output),
                "{protocol:?}: {answer}"
            );
        }
        // An agent that ends the run itself has output.
        let how = options(protocol).on_error(|failure| panic!("{}", failure.error));
        let ended = async |out: Out| {
            out.end(RunEnd::new(EndStatus::Completed));
            Ok(())
        };
        read(protocol, &emit(how, ended).unwrap().collect::<String>().await);
    }
}

/// A running agent.
type Agent = std::pin::Pin<Box<dyn Future<Output = Result<(), AnyError>> + Send>>;

#[tokio::test]
async fn a_failure_before_the_first_output_is_returned() {
    let failed = async |agent: fn(Out) -> Agent| {
        let mut emission = emit(options(ProtocolKind::AgUi), agent).unwrap();
        let early = emission.begin().await.map(|failure| failure.error.to_string());
        let answer = emission.collect::<String>().await;
        read(ProtocolKind::AgUi, &answer);
        (early, answer)
    };
    let (early, answer) = failed(|_| Box::pin(async { Err("secret".into()) })).await;
    assert_eq!(early.as_deref(), Some("secret"));
    assert!(answer.contains("RUN_ERROR") && !answer.contains("secret"), "{answer}");
    let late = failed(|out| {
        Box::pin(async move {
            out.text("half").await;
            Err("secret".into())
        })
    });
    assert_eq!(late.await.0, None);
    // A comment of another task, which the client should receive, also begins the answer.
    let beats = failed(|out| {
        Box::pin(async move {
            let beat = out.clone();
            tokio::spawn(async move { beat.heartbeat() });
            tokio::time::sleep(Duration::from_millis(50)).await;
            Err("secret".into())
        })
    });
    assert_eq!(beats.await.0, None);
    assert_eq!(failed(|_| Box::pin(async { Ok(()) })).await.0, None);
}

#[tokio::test]
async fn a_long_start_of_an_answer_does_not_hold_back_the_answer_of_a_model() {
    let chunk = |delta: &str, end: &str| {
        format!(r#"data: {{"choices":[{{"index":0,"delta":{delta},"finish_reason":{end}}}]}}"#)
    };
    let answer = [
        // It writes nothing.
        chunk(r#"{"role":"assistant","content":""}"#, "null"),
        chunk(r#"{"content":"21 degrees."}"#, "null"),
        chunk("{}", r#""stop""#),
        "data: [DONE]".to_owned(),
    ];
    let echo = Value::from([("instructions", Value::from("x".repeat(100_000).as_str()))]);
    let options = options(ProtocolKind::Responses).write(|write| write.echo(echo));
    let mut emission = emit(options, async move |out| {
        let bytes = stream::iter([Ok::<_, AnyError>(answer.join("\n\n") + "\n\n")]);
        out.end(out.forward(AnswerStream::new(ProtocolKind::Chat, bytes)).await?.end);
        Ok(())
    })
    .unwrap();
    let begun = tokio::time::timeout(Duration::from_secs(5), emission.begin()).await;
    assert!(begun.is_ok_and(|failure| failure.is_none()));
    let text: String = emission.collect().await;
    assert!(read(ProtocolKind::Responses, &text).contains("21 degrees."));
}

#[tokio::test]
async fn an_emission_that_waits_for_its_agent_is_not_polled() {
    let polled = Arc::new(AtomicUsize::new(0));
    let polls = Arc::clone(&polled);
    let emission = emit(options(ProtocolKind::Responses), async move |out| {
        for _ in 0..3 {
            let mut sleep = pin!(tokio::time::sleep(Duration::from_millis(50)));
            poll_fn(|context| {
                polls.fetch_add(1, Ordering::Relaxed);
                sleep.as_mut().poll(context)
            })
            .await;
        }
        out.text("late").await;
        Ok(())
    });
    let text: String = emission.unwrap().collect().await;
    assert!(text.contains("late"));
    assert!(polled.load(Ordering::Relaxed) < 10, "{} polls", polled.load(Ordering::Relaxed));
}

#[tokio::test]
async fn calls_of_tools_of_the_client_have_its_form() {
    let tools = r#"[{"sent":"local_shell","name":"local_shell","item":"local_shell_call"},
        {"sent":"tool_search","name":"tool_search","item":"tool_search_call"},
        {"sent":"files__read","name":"read","namespace":"files"},
        {"sent":"fs__patch","name":"patch","namespace":"fs","isText":true}]"#;
    let call = |index: usize, name: &str, arguments: &str| {
        let function =
            format!(r#"{{"name":"{name}","arguments":{}}}"#, Value::from(arguments).to_json());
        format!(
            r#"data: {{"choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":{index},"id":"c{index}","type":"function","function":{function}}}]}},"finish_reason":null}}]}}"#
        )
    };
    let answer = [
        call(0, "local_shell", r#"{"command":["ls"]}"#),
        call(1, "tool_search", r#"{"query":"words"}"#),
        call(2, "files__read", "{}"),
        call(3, "fs__patch", r#"{"input":"*** Begin"}"#),
        r#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#.to_owned(),
        "data: [DONE]".to_owned(),
    ];
    let text = emit(options(ProtocolKind::Responses), async move |out| {
        let bytes = stream::iter([Ok::<_, AnyError>(answer.join("\n\n") + "\n\n")]);
        let mut answer = AnswerStream::new(ProtocolKind::Chat, bytes);
        answer.back = Back::from_json(&Value::parse(tools, 8).unwrap());
        out.end(out.forward(answer).await?.end);
        Ok(())
    });
    let text: String = text.unwrap().collect().await;
    read(ProtocolKind::Responses, &text);
    for item in [
        r#""type":"local_shell_call","status":"completed","call_id":"c0","action":{"command":["ls"],"type":"exec","env":{}}"#,
        r#""type":"tool_search_call","status":"completed","call_id":"c1","arguments":{"query":"words"},"execution":"client""#,
        r#""type":"function_call","status":"completed","name":"read","namespace":"files","call_id":"c2","arguments":"{}""#,
        r#""type":"custom_tool_call","status":"completed","name":"patch","namespace":"fs","call_id":"c3","input":"*** Begin""#,
    ] {
        assert!(text.contains(item), "{item}\n{text}");
    }
}

#[tokio::test]
async fn an_agent_may_return_its_answer() {
    const SAID: &str = "It is 21 degrees.";
    for protocol in written() {
        let texts = run(protocol, async |_| Ok(SAID)).await;
        assert!(texts.contains(SAID), "{protocol:?}: {texts}");
        assert_eq!(run(protocol, async |_| Ok(SAID.to_owned())).await, texts);
        assert_eq!(run(protocol, async |_| Ok(Some(SAID))).await, texts);
        let pieces = ["It is ", "21 degrees."];
        let written = run(protocol, async |out| {
            for piece in pieces {
                out.text(piece).await;
            }
            Ok(())
        })
        .await;
        assert_eq!(run(protocol, async |_| Ok(Texts(stream::iter(pieces)))).await, written);
        let results = pieces.map(Ok::<_, std::io::Error>);
        assert_eq!(run(protocol, async |_| Ok(Texts(stream::iter(results)))).await, written);
        let mut model = Writer::new(
            ProtocolKind::AgKit,
            BuilderOptions::new(Counter::default(), || 1_700_000_000),
        )
        .unwrap();
        model.text(SAID);
        model.complete();
        let bytes = stream::iter([Ok::<_, std::io::Error>(model.take())]);
        let passed =
            run(protocol, async |_| Ok(AnswerStream::new(ProtocolKind::AgKit, bytes))).await;
        assert!(passed.contains(SAID), "{protocol:?}: {passed}");
    }
}

#[tokio::test]
async fn a_second_answer_or_a_broken_one_fails_the_run() {
    let heard = Arc::new(std::sync::Mutex::new(Vec::new()));
    let failing = async |agent: fn(Out) -> futures_util::future::BoxFuture<'static, Answered>| {
        let told = heard.clone();
        let options = options(ProtocolKind::AgKit).on_error(move |failure| {
            told.lock().unwrap().push(failure.error.to_string());
            None
        });
        let text: String = emit(options, agent).unwrap().collect().await;
        assert!(text.contains(r#""type":"error""#), "{text}");
        heard.lock().unwrap().pop().unwrap()
    };
    let twice = failing(|out| {
        Box::pin(async move {
            out.text("one").await;
            Ok(Texts(stream::iter(vec![Ok("two".to_owned())])))
        })
    });
    assert!(twice.await.contains("value-returned"));
    let broken = failing(|_| {
        let pieces = vec![Ok("one".to_owned()), Err(std::io::Error::other("the model is gone"))];
        Box::pin(async move { Ok(Texts(stream::iter(pieces))) })
    });
    assert!(broken.await.contains("the model is gone"));
}

type Answered =
    Result<Texts<stream::Iter<std::vec::IntoIter<Result<String, std::io::Error>>>>, AnyError>;

/// A task that an agent has started may write at any time.
#[tokio::test]
async fn what_is_written_after_the_client_has_gone_is_ignored() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let mut emission =
        emit(options(ProtocolKind::AgUi), async move |out| -> Result<(), AnyError> {
            sender.send(out.clone()).unwrap();
            out.text("a").await;
            std::future::pending().await
        })
        .unwrap();
    emission.next().await.unwrap();
    let out = receiver.recv().unwrap();
    let waiting = tokio::spawn({
        let out = out.clone();
        async move { out.text(&"b".repeat(1 << 20)).await }
    });
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    drop(emission);
    waiting.await.unwrap();
    assert!(out.has_ended());
    let call = out.call("late").await;
    call.result(&"c".repeat(1 << 20)).await;
    out.fail("late", "too late");
}
