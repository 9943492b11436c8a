//! A signed compaction replaces the messages that it summarizes. (C28)

use super::*;

const REQUEST: &str = r#"{"model":"claude-sonnet-5","max_tokens":9,"compaction":{"type":"summarize"},"system":"Be brief.","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"Hello."}]}"#;

fn after(block: &str, stop_reason: &str) -> Conversation {
    let mut conversation = (REQUESTS.read)(parsed(REQUEST));
    let answer = format!(
        r#"{{"role":"assistant","id":"m","stop_reason":"{stop_reason}","content":[{block}]}}"#
    );
    (REQUESTS.append)(&mut conversation, parsed(&answer));
    (REQUESTS.append)(&mut conversation, parsed(r#"{"role":"user","content":"and?"}"#));
    conversation
}

const SIGNED: &str = r#"{"type":"compaction","content":"They said hello.","encrypted_content":"ZQ==","signature":"c2ln","tool_changes":[]}"#;

#[test]
fn a_signed_compaction_is_the_first_block() {
    let (request, _) = sent(&REQUESTS, after(SIGNED, "compaction"), "claude-sonnet-5");
    let expected = format!(
        r#"[{{"role":"assistant","content":[{SIGNED}]}},{{"role":"user","content":[{{"type":"text","text":"and?"}}]}}]"#
    );
    assert_eq!(messages(&request), expected);
    assert_eq!(request.get("compaction"), None);
    assert!(request.get("system").is_some());
}

#[test]
fn other_models_are_told_the_summary() {
    let conversation = after(SIGNED, "compaction");
    let told: Vec<_> =
        conversation.turns.iter().flat_map(|turn| &turn.parts).filter_map(Part::as_text).collect();
    assert_eq!(told, ["Be brief.", "They said hello.", "and?"]);
}

#[test]
fn another_compaction_keeps_the_messages() {
    let unsigned =
        r#"{"type":"compaction","content":"They said hello.","encrypted_content":"ZQ=="}"#;
    let failed = r#"{"type":"compaction"}"#;
    for (block, stop_reason) in [
        (unsigned, "end_turn"),
        (unsigned, "compaction"),
        (failed, "compaction"),
        (SIGNED, "end_turn"),
    ] {
        let (request, _) = sent(&REQUESTS, after(block, stop_reason), "claude-sonnet-5");
        let sent = messages(&request);
        assert!(sent.contains("Hello.") && sent.contains(block), "{sent}");
    }
}
