//! Answers an AG-UI request on the standard input with a valid stream on the standard output, as a
//! server does: reasoning, a state that changes, a tool call with its result, text, and a question
//! that ends the run.
//!
//! `echo '{"threadId":"t","runId":"r","messages":[]}' | cargo run --example ag_ui`

use agentwire::ProtocolKind;
use agentwire::ag_ui::request::RunAgentInput;
use agentwire::agent_api::builder::BuilderOptions;
use agentwire::builder::RandomIds;
use agentwire::emit::Writer;
use agentwire::hub::Note;
use agentwire::json::Value;
use std::io::{Error, Read, Result, Write, stderr, stdin, stdout};
use std::time::{SystemTime, UNIX_EPOCH};

fn main() -> Result<()> {
    let mut body = String::new();
    stdin().lock().read_to_string(&mut body)?;
    let input = match RunAgentInput::parse(&body) {
        Ok(input) => input,
        Err(refused) => {
            // A server sends this status with the error.
            writeln!(stderr(), "{}", refused.status())?;
            return writeln!(stdout(), "{}", refused.detail());
        }
    };
    let options = BuilderOptions::new(RandomIds, now)
        .session_id(&*input.thread_id)
        .response_id(&*input.run_id);
    let mut out = Writer::new(ProtocolKind::AgUi, options).map_err(Error::other)?;
    agent(&mut out);
    // A server would send the events as soon as they are written.
    stdout().write_all(out.take().as_bytes())
}

/// Writes the events of a run.
fn agent(out: &mut Writer) {
    out.reasoning("I need to know the weather.");
    let state = |found: Value| Value::from([("city", "Beijing".into()), ("weather", found)]);
    out.note(Note::State { value: &state(Value::Null) });

    let call = out.call("get_weather");
    for piece in ["{\"city\": ", "\"Beijing\"}"] {
        out.arguments(&call, piece);
    }
    out.result(&call, "sunny, 25 °C");
    out.note(Note::State { value: &state("sunny".into()) });

    for piece in ["It is ", "sunny."] {
        out.text(piece);
    }
    out.interrupt("question_1", Some("confirmation"), &"Book a table outside?".into());
    out.complete();
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs().try_into().unwrap_or(i64::MAX)
}
