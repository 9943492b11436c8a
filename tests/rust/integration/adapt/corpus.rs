//! Every recorded stream, to every protocol.

use agentwire::EndReason;
use agentwire::ProtocolKind;
use agentwire::ProtocolKind::{
    A2a, AgKit, AgUi, AgentApi, AgentScope, AiSdk, Anthropic, Chat, Responses,
};
use agentwire::hub::Losses;
use agentwire::json::Value;
use agentwire_cases::reads;

use super::facts::{Facts, Status, convert, read};
use crate::ag_kit::client::Client;
use crate::reading::protocol_of;

/// All conversions of all streams: name, source, bytes, target.
fn conversions() -> impl Iterator<Item = (String, ProtocolKind, Vec<u8>, ProtocolKind)> {
    reads().into_iter().flat_map(|case| {
        let stream = case.stream();
        crate::written().map(move |to| (case.name.clone(), protocol_of(&case), stream.clone(), to))
    })
}

#[test]
fn converted_streams_have_no_violations() {
    for (name, from, bytes, to) in conversions() {
        let whole = bytes.len();
        // Complete and truncated.
        for end in [whole, whole / 2, whole * 9 / 10, 0] {
            let (out, _) = convert(from, to, [&bytes[..end]], false);
            let (_, report) = read(to, out.as_bytes());
            let passed_on = |rule: &str| (from == to && is_kept(rule)) || is_replacement(to, rule);
            let broken: Vec<_> = report
                .violations
                .iter()
                .filter(|v| !is_about_the_model(v.rule.id) && !passed_on(v.rule.id))
                .collect();
            assert!(broken.is_empty(), "{name} to {}: {broken:#?}\n{out}", to.as_str());
            // The error that ends an answer of a model is its last event.
            let is_error =
                matches!(to, Anthropic | Chat) && report.end_reason == EndReason::ErrorFrame;
            assert!(report.end_reason == EndReason::Terminal || is_error, "{name} to {to:?}");
            if to == AgKit {
                // It throws on some streams that are legal.
                let client = Client::of(&out);
                let asked = read(to, out.as_bytes()).0.interrupts;
                let last = asked.last().map(|(id, _)| id.as_str());
                assert_eq!(client.shown_interrupt(), last, "{name}: {out}");
            }
        }
    }
}

/// Returns whether a conversion to the same protocol keeps the violation: unknown events are copied
/// as they are, and so are calls that a snapshot has and that start again under another name,
/// because no other event has that name.
fn is_kept(rule: &str) -> bool {
    matches!(
        rule,
        "unknown-event" | "unknown-type" | "unknown-object" | "unknown-payload" | "call-renamed"
    )
}

/// Returns whether the violation is expected because only the end of a replaced text has the new
/// text, which counts for the clients (O9), or because a removed item is not in the last event.
fn is_replacement(to: ProtocolKind, rule: &str) -> bool {
    to == Responses && matches!(rule, "done-differs" | "output-lost")
}

/// Returns whether the violation is about text of the model, which conversions copy.
fn is_about_the_model(rule: &str) -> bool {
    matches!(rule, "arguments-not-json" | "input-not-json")
}

#[test]
fn conversion_does_not_depend_on_chunk_boundaries() {
    for (name, from, bytes, to) in conversions() {
        let whole = convert(from, to, [bytes.as_slice()], false);
        for size in [1, 7, 64] {
            let cut = convert(from, to, bytes.chunks(size), false);
            assert_eq!(cut.0, whole.0, "{name} to {} by {size}", to.as_str());
            assert_eq!(cut.1.to_json(), whole.1.to_json(), "{name} to {} by {size}", to.as_str());
        }
    }
}

#[test]
fn text_calls_results_interrupts_and_statuses_are_kept() {
    for (name, from, bytes, to) in conversions() {
        let (out, losses) = convert(from, to, [bytes.as_slice()], false);
        let (said, heard) = (read(from, &bytes).0, read(to, out.as_bytes()).0);
        let said = asked(said, to, losses.count("interrupt-hidden"), &name);
        let (mut said, mut heard) = (calls_of(said, to), calls_of(heard, to));
        if to == AiSdk {
            without_inserted(&mut said, &mut heard, &losses);
        }
        without_added_text(&said, &mut heard, to);
        match to {
            Chat => as_completion(&mut said, &mut heard, &losses),
            Anthropic => as_message(&mut said, &mut heard, &losses),
            _ => {}
        }
        if [to, from].iter().any(|kind| matches!(kind, AiSdk | Anthropic)) {
            [&mut said, &mut heard].into_iter().for_each(as_json_values);
        }
        match exception(from, &name) {
            Some((_, "another order")) => assert_eq!(sorted(said), sorted(heard), "{name}"),
            // A target that has room for it loses nothing.
            Some(_)
                if ((to == AgUi && from == AgUi)
                    || matches!(to, A2a | Responses | AiSdk | Chat | Anthropic | AgentScope)
                    || matches!(from, Responses | AiSdk | AgentScope))
                    && said == heard => {}
            // A denial and an error of a tool are results, which the snapshot does not have.
            Some((_, "tool-error")) if to == Anthropic => {
                let is_kept = |(id, result): (&String, _)| heard.results.get(id) == Some(result);
                assert!(said.results.iter().all(is_kept) && said.calls == heard.calls, "{name}");
            }
            // The messages of the history repeat each other.
            Some((_, "grown")) => assert!(said.text.ends_with(&heard.text), "{name}"),
            // The snapshot has only the last of several messages; the stream has all of them.
            Some((_, "said first")) => assert!(heard.text.starts_with(&said.text), "{name}"),
            Some((_, "said more")) => assert!(heard.text.ends_with(&said.text), "{name}"),
            // The messages of a snapshot event were not streamed: they belong to that step, and are
            // not text.
            Some((_, "messages")) if to == AgentApi => {
                assert!(out.contains("agentwire.messages"), "{name}")
            }
            Some((_, loss)) => {
                assert!(losses.count(loss) > 0, "{name}: {loss} in {}", losses.to_json())
            }
            None => assert_eq!(said, heard, "{name} to {}: {}", to.as_str(), losses.to_json()),
        }
    }
}

/// Removes the interrupts of an AG-UI run or an A2A task that does not end successfully: they are
/// not open any more. Only a task whose source was truncated still waits for its reply.
pub fn asked(mut said: Facts, to: ProtocolKind, hidden: u64, name: &str) -> Facts {
    if to == A2a && hidden == 0 && said.status == Status::Otherwise && !said.interrupts.is_empty() {
        said.status = Status::Interrupted;
        return said;
    }
    if (to == AgUi || to == A2a) && said.status == Status::Otherwise && !said.interrupts.is_empty()
    {
        said.interrupts.clear();
        assert!(hidden > 0, "{name}");
    }
    said
}

/// Removes the texts of questions from payloads of AG-Kit, which does not have them elsewhere.
pub fn without_added_text(said: &Facts, heard: &mut Facts, to: ProtocolKind) {
    for ((_, before), (_, after)) in said.interrupts.iter().zip(&mut heard.interrupts) {
        if let Value::Object(members) = after
            && to == AgKit
            && before.get("text").is_none()
        {
            members.retain(|member| member.key != "text");
            if members.is_empty() && before.is_null() {
                *after = Value::Null;
            }
        }
    }
}

/// Removes the insertions of the AI SDK, each with its loss: a call for a question that does not
/// belong to a call, whose payload becomes the input, the error of an input that is not JSON, and
/// questions whose answer was lost.
fn without_inserted(said: &mut Facts, heard: &mut Facts, losses: &Losses) {
    if losses.count("tool-error") > 0 {
        heard.results.retain(|_, result| result != "The input is not JSON.");
    }
    if losses.count("approval") > 0 {
        heard.interrupts.retain(|(id, _)| said.interrupts.iter().any(|(known, _)| known == id));
    }
    let inserted = losses.count("call-missing");
    if inserted > 0 {
        let calls = heard.calls.len();
        heard.calls.retain(|(id, ..)| said.calls.iter().any(|(known, ..)| known == id));
        assert!((calls - heard.calls.len()) as u64 <= inserted);
        said.interrupts
            .iter_mut()
            .chain(&mut heard.interrupts)
            .for_each(|(_, payload)| *payload = Value::Null);
    }
}

/// Changes what Anthropic Messages has in another form, each with its loss: questions are texts, a
/// refusal is a reason to stop, calls of the agent are in the order of their results, and calls
/// that were cut off are left out.
fn as_message(said: &mut Facts, heard: &mut Facts, losses: &Losses) {
    questions_as_texts(said, heard, losses);
    let calls = said.calls.len();
    if losses.count("call-cut-off") > 0 {
        said.calls.retain(|(id, ..)| heard.calls.iter().any(|(known, ..)| known == id));
        assert!((calls - said.calls.len()) as u64 <= losses.count("call-cut-off"));
    }
    if losses.count("refusal") > 0 {
        said.status = Status::Otherwise;
    }
    if losses.count("call-input") > 0 {
        for (_, _, arguments) in &mut heard.calls {
            let value = Value::parse(arguments, 128).unwrap_or_default();
            if let Some(text) = value.get("input").and_then(Value::as_str) {
                *arguments = text.to_owned();
            }
        }
    }
    if losses.count("call-order") > 0 {
        said.calls.sort();
        heard.calls.sort();
    }
}

/// Leaves only what a completion can have: calls that the client has to run, and the texts of
/// questions in place of questions.
fn as_completion(said: &mut Facts, heard: &mut Facts, losses: &Losses) {
    // Messages in a list that the run repeats are not the run's.
    let kinds = ["executed-call", "call-repeated", "messages"];
    let left_out: u64 = kinds.iter().map(|kind| losses.count(kind)).sum();
    let calls = said.calls.len();
    said.results.clear();
    if losses.count("call-name-missing") > 0 {
        let unnamed = heard.calls.iter_mut().filter(|call| call.1 == "unnamed");
        unnamed.for_each(|call| call.1.clear());
    }
    let is_written = |id: &String| heard.calls.iter().any(|(known, ..)| known == id);
    said.calls.retain(|(id, ..)| left_out == 0 || is_written(id));
    assert!((calls - said.calls.len()) as u64 <= left_out, "{}", losses.to_json());
    questions_as_texts(said, heard, losses);
}

/// Replaces questions by their texts, which the answer has in addition to its own text.
fn questions_as_texts(said: &mut Facts, heard: &mut Facts, losses: &Losses) {
    if losses.count("interrupt-members") > 0 {
        let mut letters = heard.text.chars();
        assert!(said.text.chars().all(|letter| letters.any(|other| other == letter)));
        heard.text.clone_from(&said.text);
        said.interrupts.clear();
    }
    if said.status == Status::Interrupted {
        said.status = Status::Completed;
    }
}

/// Spells inputs and outputs of tools as the AI SDK has them: as JSON values, of which the spelling
/// is not kept.
pub fn as_json_values(facts: &mut Facts) {
    let texts = facts.calls.iter_mut().map(|call| &mut call.2).chain(facts.results.values_mut());
    for text in texts {
        match Value::parse(text, 128) {
            Ok(Value::String(inner)) => *text = inner,
            Ok(value) => *text = value.to_json(),
            Err(_) => {}
        }
    }
}

/// Sorts the calls for A2A by their ends, because A2A has a call when it is complete.
pub fn calls_of(mut facts: Facts, to: ProtocolKind) -> Facts {
    if to == A2a {
        facts.calls.sort();
    }
    if matches!(to, AiSdk | Anthropic) {
        // An input is a JSON value: an absent one is an empty object.
        facts
            .calls
            .iter_mut()
            .filter(|call| call.2.is_empty())
            .for_each(|call| call.2.push_str("{}"));
    }
    facts
}

/// Sorts the characters of the texts and the calls, to compare them in any order.
pub fn sorted(mut facts: Facts) -> Facts {
    facts.calls.sort();
    let mut characters: Vec<char> = facts.text.chars().collect();
    characters.sort_unstable();
    facts.text = characters.into_iter().collect();
    facts
}

/// Returns the exception of a case.
pub fn exception(from: ProtocolKind, name: &str) -> Option<&'static (&'static str, &'static str)> {
    EXCEPTIONS.iter().find(|(case, _)| match case.split_once('/') {
        Some((protocol, case)) => (protocol, case) == (from.as_str(), name),
        None => *case == name,
    })
}

/// Cases whose snapshot changes, with the kind of the loss that reports it. If only the order
/// differs, nothing is lost: the snapshot sorts parts and messages by index, and a stream has them
/// in the order of arrival.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("07_interleaved_contents_one_message", "another order"),
    ("index_gap", "another order"),
    ("output_omits_a_message", "another order"),
    ("output_order_and_duplicates", "another order"),
    ("lanes", "another order"),
    ("growing_status_texts", "grown"),
    ("candidates_out_of_order", "another order"),
    ("two_candidates", "another order"),
    ("call_with_signature", "call-id"),
    ("calls_without_ids", "call-id"),
    ("streamed_call", "call-id"),
    ("streamed_call_not_ended", "call-id"),
    ("streamed_call_cut_off", "call-id"),
    ("partial_args", "call-id"),
    ("call_without_name", "call-id"),
    ("arguments_with_inner_object", "call-id"),
    ("code_execution", "call-id"),
    ("texts_by_turns", "another order"),
    // Calls are in the order of their indexes in the snapshot, and in that of their arrival in a
    // conversion.
    ("tool_calls_out_of_order", "another order"),
    ("after_end", "after-end"),
    ("duplicate_item_id", "part-dropped"),
    ("item_of_another_type", "part-dropped"),
    ("invalid_utf8_in_a_text", "text-replaced"),
    ("limit_exceeded_by_a_text", "text-replaced"),
    ("text_done_differs_from_deltas", "text-replaced"),
    ("content_after_its_end", "after-end"),
    ("message_after_its_end", "after-end"),
    ("51_set_text_mixed_with_deltas", "text-replaced"),
    ("text_mismatch", "text-replaced"),
    ("80_legacy_1_0_0_null_msg_id", "call-repeated"),
    ("content_type_changes", "part-dropped"),
    ("message_drops_a_part", "part-dropped"),
    ("message_changes", "late-type"),
    ("output_without_call", "call-missing"),
    ("call_not_ended", "call-cut-off"),
    ("result_twice", "result-repeated"),
    ("e03c_unfiltered_violation", "another order"),
    ("messages_snapshot_merge", "messages"),
    ("u03_text_interleaved_two_messages", "another order"),
    ("u15_tool_result_orphan", "call-missing"),
    ("u45_messages_snapshot_all_roles", "messages"),
    ("u46_run_started_input_echo", "messages"),
    ("u73_snapshot_moves_call", "messages"),
    ("u77_snapshot_nulls", "messages"),
    ("u54_run_error_after_finished", "after-end"),
    ("u55_multi_run", "after-end"),
    ("u56_multi_run_after_error", "after-end"),
    ("v16_finish_open_tool", "call-cut-off"),
    ("append_renames", "part-dropped"),
    ("artifact_replace", "text-replaced"),
    ("split_characters", "text-replaced"),
    ("parallel_artifacts", "another order"),
    ("undeclared_members", "another order"),
    ("task_again", "history"),
    ("u62_outcome_unknown", "status"),
    ("message_and_task", "said more"),
    ("choices_out_of_order", "another order"),
    ("two_choices", "another order"),
    ("tool_calls_out_of_order", "another order"),
    ("function_call", "call-id"),
    ("missing_ids", "call-id"),
    ("call_changed", "call-repeated"),
    ("same_call_in_another_step", "call-repeated"),
    ("ai-sdk/call_started_twice", "arguments-replaced"),
    ("input_not_ended", "call-cut-off"),
    ("interleaved_text", "another order"),
    ("text_started_twice", "another order"),
    ("proto_keys", "forbidden-key"),
    ("reset_step", "call-repeated"),
    // The question of Responses has the label of a server.
    ("tool_approval", "interrupt-members"),
    ("ai-sdk/question_text", "interrupt-members"),
    ("tool_denied", "tool-error"),
    // A message of another id replaces the parts, which were written.
    ("message_changed", "said more"),
    ("start_after_parts", "said more"),
    // A message of the user that steers the run is a part of the message in the AI SDK, and text
    // elsewhere.
    ("newer_chunks", "said first"),
    // A2A has an error after which the run continues as a message.
    ("ai-sdk/error_then_more", "said first"),
    ("interleaved_blocks", "another order"),
];
