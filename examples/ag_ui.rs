//! Answers an AG-UI request on the standard input with a valid stream on the standard output, as a
//! server does: reasoning, a state that changes, a tool call with its result, text, and a question
//! that ends the run.
//!
//! `echo '{"threadId":"t","runId":"r","messages":[]}' | cargo run --example ag_ui`

use agentwire::UsageError;
use agentwire::ag_ui::builder::{Outcome, StreamBuilder};
use agentwire::ag_ui::request::Interrupt;
use agentwire::ag_ui::request::RunAgentInput;
use agentwire::builder::WireEvent;
use agentwire::json::Value;
use std::io::{Read, Result, Write, stderr, stdin, stdout};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
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
    let mut builder = StreamBuilder::answering(&input);
    let mut events = Vec::new();
    if let Err(misuse) = agent(&mut builder, &mut events) {
        writeln!(stderr(), "{misuse}")?;
    }
    // Always end the stream, even after an error in this program, so that the client does not wait
    // forever.
    events.extend(builder.finish_with(Some("the agent has failed")));
    for event in &events {
        stdout().write_all(event.as_sse().as_bytes())?;
    }
    Ok(())
}

/// Creates the events of a run. A server would send each event as soon as it is created.
fn agent(
    out: &mut StreamBuilder,
    events: &mut Vec<WireEvent>,
) -> core::result::Result<(), UsageError> {
    events.extend(out.start()?);
    events.extend(out.reasoning("I need to know the weather.")?);
    let state = |found: Value| Value::from([("city", "Beijing".into()), ("weather", found)]);
    events.extend(out.state(&state(Value::Null))?);

    events.extend(out.tool_call_start("call_1", "get_weather")?);
    for piece in ["{\"city\": ", "\"Beijing\"}"] {
        events.extend(out.tool_call_args("call_1", piece)?);
    }
    events.extend(out.tool_call_end("call_1")?);
    events.extend(out.tool_result("call_1", "sunny, 25 °C".into())?);
    events.extend(out.state(&state("sunny".into()))?);

    for piece in ["It is ", "sunny."] {
        events.extend(out.text(piece)?);
    }
    let mut question = Interrupt::new("question_1", "confirmation");
    question.message = Some("Book a table outside?".to_owned());
    events.extend(out.finish(Outcome::Interrupt(vec![question]), None)?);
    Ok(())
}
