//! Property test: the caches of repeated events do not change the result of a stream.

use proptest::prelude::*;

use super::{AgentApi, AgentApiFold};
use crate::core::ReadOptions;
use crate::core::options::Mode;
use crate::engine::{EventReceiver, Protocol};
use crate::json::{Document, Tape};
use crate::protocols::agent_api::{Snapshot, Style};
use crate::sse;

impl AgentApiFold {
    /// Clears all caches, so that the next event is read in full.
    fn forget_all(&mut self) {
        self.status_cache.forget();
        for message in &mut self.messages {
            message.fingerprints = None;
            message.parts.iter_mut().for_each(|part| part.fingerprints = None);
        }
    }
}

fn event(data: &str) -> sse::SseEvent<'_> {
    sse::SseEvent {
        name: "message",
        data,
        last_event_id: "",
        has_id: false,
        offset: 0,
        replaced: false,
        frame: None,
        unterminated: false,
    }
}

/// Returns the result of a stream: response, tool calls and report, as text.
fn outcome(events: &[String], options: &ReadOptions, forgetful: bool) -> String {
    let mut snapshot = Snapshot::default();
    let mut fold = AgentApi::default().engine(options, &mut snapshot);
    for data in events {
        if forgetful {
            fold.fold_mut::<AgentApiFold>().forget_all();
        }
        fold.event(&event(data), &mut snapshot);
    }
    fold.finish(false, &mut snapshot);
    let (response, calls) = (snapshot.response.to_json(Style::Wire), snapshot.tool_calls_json());
    format!("{response}\n{calls}\n{}", fold.report().to_json())
}

/// A server that repeats itself, often with small differences.
#[derive(Default)]
struct Server {
    events: Vec<String>,
    messages: [ExpectedMessage; 3],
}

#[derive(Default)]
struct ExpectedMessage {
    text: String,
    contents: Vec<String>,
    whole: Option<String>,
}

const TEXTS: [&str; 6] = ["a", "你", r#"\"q\""#, r"\ud83d", r"\ude00", ""];
const KINDS: [&str; 4] = ["message", "function_call", "function_call_output", "heartbeat"];

impl Server {
    /// Adds a numbered event; returns the text after its number.
    fn emit(&mut self, rest: String) -> String {
        self.events.push(format!("{{\"sequence_number\":{}{rest}", self.events.len()));
        rest
    }

    fn message(&mut self, which: usize, status: &str, content: &str, form: u8) -> String {
        let kind = KINDS[if form == 9 { 1 } else { which % 2 + usize::from(form == 10) * 2 }];
        let metadata =
            ["null", "{}", r#"{"content":null}"#, r#"{"a":[{}]}"#][usize::from(form % 4)];
        let members = match form {
            7 => format!(r#""content":{content},"status":"{status}","id":"m{which}""#),
            8 => format!(
                r#""status":"{status}","status":"{status}","id":"m{which}","content":{content}"#
            ),
            _ => format!(
                r#""status":"{status}","id":"m{which}","type":"{kind}","role":"assistant","content":{content}"#
            ),
        };
        self.emit(format!(r#","object":"message",{members},"metadata":{metadata}}}"#))
    }

    fn content(&mut self, which: usize, index: usize, delta: bool, form: u8) {
        let text = TEXTS[usize::from(form) % TEXTS.len()];
        let message = &mut self.messages[which];
        let (status, text) = if delta {
            message.text.push_str(text);
            ("in_progress", text.to_owned())
        } else {
            ("completed", if form == 7 { "b".to_owned() } else { message.text.clone() })
        };
        let index = if form == 11 { "null".to_owned() } else { index.to_string() };
        let value = match form {
            12.. => {
                format!(
                    r#""type":"data","data":{{"call_id":"c{which}","name":"f","arguments":"{text}"}}"#
                )
            }
            _ => format!(r#""type":"text","text":"{text}""#),
        };
        let more = match form {
            8 => r#","error":{"code":"e","message":"m"}"#,
            9 => r#","x":1"#,
            10 => r#","sequence_number":5"#,
            _ => "",
        };
        let json = self.emit(format!(
            r#","object":"content","status":"{status}","index":{index},"delta":{delta},"msg_id":"m{which}",{value}{more}}}"#
        ));
        if !delta {
            let contents = &mut self.messages[which].contents;
            let place = index.parse().unwrap_or(0);
            contents.resize(contents.len().max(place + 1), String::new());
            contents[place] = json;
        }
    }

    /// Returns objects as a JSON list, each numbered in some way. Some forms alter the list.
    fn list<'a>(&self, objects: impl Iterator<Item = &'a String>, form: u8) -> String {
        let mut objects: Vec<String> = objects
            .filter(|json| !json.is_empty())
            .enumerate()
            .map(|(at, rest)| match form % 8 {
                _ if form == 15 => format!("{{\"sequence_number\":null{rest}"),
                0..3 => format!("{{\"sequence_number\":null{rest}"),
                3 | 4 => {
                    let same = self.events.iter().find(|event| event.ends_with(rest));
                    same.cloned().unwrap_or_default()
                }
                5 => format!("{{\"sequence_number\":{at}{rest}"),
                6 => format!("{{ \"sequence_number\":null{rest}"),
                _ => format!("{{{}", &rest[1..]),
            })
            .collect();
        match form {
            8 => objects.reverse(),
            9 => objects.extend(objects.first().cloned()),
            10 => drop(objects.pop()),
            11 => objects.iter_mut().for_each(|json| *json = json.replace("\"a\"", "\"b\"")),
            12 => objects.insert(0, "null".to_owned()),
            13 => objects.iter_mut().for_each(|json| *json = json.replace("text", "texu")),
            // The first object becomes a copy of the second with another text.
            15 if objects.len() > 1 => {
                objects[0] = objects[1].replace(r#""text":""#, r#""text":"x"#)
            }
            _ => {}
        }
        let mut list = format!("[{}]", objects.join(","));
        if form == 14 {
            list.push_str(",\"content\":null");
        }
        list
    }

    fn end_message(&mut self, which: usize, form: u8, list: u8) {
        let of = if form == 11 { which % 2 + 1 } else { which };
        let contents = self.list(self.messages[of].contents.iter(), list);
        let status = [
            "completed",
            "completed",
            "completed",
            "failed",
            "in_progress",
            r"comp\u006ceted",
            "unknown",
        ];
        let status = status[usize::from(form % 7)];
        let whole = self.message(which, status, &contents, form);
        self.messages[which].whole = Some(whole);
    }

    fn response(&mut self, status: &str, form: u8) {
        let output =
            self.list(self.messages.iter().filter_map(|message| message.whole.as_ref()), form);
        let name = if form == 14 { "content" } else { "output" };
        self.emit(format!(
            r#","object":"response","status":"{status}","id":"r","completed_at":1,"{name}":{output}}}"#
        ));
    }
}

fn stream() -> impl Strategy<Value = Vec<String>> {
    let step = (
        0..16u8,
        0..3usize,
        prop_oneof![4 => Just(0), 1 => Just(12), 2 => 0..16u8],
        prop_oneof![2 => 0..5u8, 1 => 0..16u8],
    );
    (proptest::collection::vec(step, 0..40), any::<bool>()).prop_map(|(steps, begins)| {
        let mut server = Server::default();
        if begins {
            server.response("created", 0);
            server.response("in_progress", 0);
        }
        for (step, which, form, list) in steps {
            match step {
                0 => drop(server.message(which, "created", "null", form)),
                1..3 => drop(server.message(which, "in_progress", "null", form)),
                3..6 => server.content(which, usize::from(list % 2), true, form),
                6..10 => server.content(which, usize::from(list % 2), false, form),
                10..14 => server.end_message(which, form, list),
                _ => server.response(
                    if form == 3 { "in_progress" } else { "completed" },
                    if form == 12 { 15 } else { list },
                ),
            }
        }
        server.events
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn caches_do_not_change_the_outcome(events in stream(), few in any::<bool>()) {
        let mut options = ReadOptions::default();
        if few {
            options.limits.messages = 2;
            options.limits.contents = 1;
            options.limits.content_bytes = 4;
            options.limits.json_depth = 5;
        }
        for mode in [Mode::Lenient, Mode::Strict, Mode::Raw] {
            options.mode = mode;
            prop_assert_eq!(outcome(&events, &options, false), outcome(&events, &options, true));
        }
    }
}

/// When a message becomes a call, its contents were not read as calls: a repetition of them has to
/// be read in full.
#[test]
fn a_changed_message_type_invalidates_the_cache() {
    let content = r#""object":"content","status":"completed","error":null,"type":"data","index":0,"delta":false,"msg_id":"m0","data":{"call_id":"c0","name":"f","arguments":""}"#;
    let message = |number: usize, kind: &str, status: &str, content: &str| {
        format!(
            r#"{{"sequence_number":{number},"object":"message","status":"{status}","error":null,"id":"m0","type":"{kind}","role":"assistant","content":{content}}}"#
        )
    };
    let events = [
        message(0, "message", "in_progress", "null"),
        format!(r#"{{"sequence_number":1,{content}}}"#),
        message(2, "function_call", "in_progress", "null"),
        message(
            3,
            "function_call",
            "completed",
            &format!(r#"[{{"sequence_number":null,{content}}}]"#),
        ),
    ];
    let options = ReadOptions::default();
    let read = outcome(&events, &options, false);
    assert!(read.contains(r#""callId":"c0""#), "{read}");
    assert_eq!(outcome(&events, &options, true), read);
}

/// Checks that the caches are used. Without caches, the property above would hold trivially.
#[test]
fn repeated_content_is_not_parsed_again() {
    let mut server = Server::default();
    server.response("created", 0);
    server.response("in_progress", 0);
    server.message(0, "created", "null", 0);
    server.content(0, 0, true, 0);
    server.content(0, 0, false, 0);
    let before = server.events.len();
    server.end_message(0, 0, 0);
    server.response("completed", 0);
    let (options, mut snapshot) = (ReadOptions::default(), Snapshot::default());
    let mut fold = AgentApi::default().engine(&options, &mut snapshot);
    for (at, data) in server.events.iter().enumerate() {
        if at >= before {
            let (mut tape, mut skips) = (Tape::default(), Vec::new());
            fold.fold_mut::<AgentApiFold>().find_repeated(data, &mut skips);
            let document = Document::read_skipping(&mut tape, data, 9, &skips).expect("JSON");
            assert!(document.has_skipped(), "{data}");
            let fold = fold.fold_mut::<AgentApiFold>();
            let is_repeated =
                fold.status_cache.read(data, &fold.messages[0].parts, &fold.keys).is_some();
            assert_eq!(is_repeated, at == before, "{data}");
        }
        fold.event(&event(data), &mut snapshot);
    }
}
