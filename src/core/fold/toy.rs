//! A protocol of three events, to try what all protocols are made of: named events, a nonce and a time in each delta.

use alloc::string::String;
use alloc::vec::Vec;

use super::{CommonRules, Context, Counted, Folding, Limited, Owner, Protocol, Semantics, Sink, TextCell};
use crate::core::declare::table::{EventTable, Reading};
use crate::core::declare::{events, model};
use crate::core::options::ReadOptions;
use crate::core::violation::rules;
use crate::sse::SseEvent;

events! {
    /// An event of the toy.
    Event by "kind";

    /// Somebody speaks.
    Says = "says" {
        /// Who.
        who: Id,
        /// A piece of what is said.
        text: Text,
        /// Makes every event different.
        nonce: Unread,
        /// When.
        at: Unread,
    }
    /// Nobody speaks any more.
    Bye = "bye" {}
}

model! {
    words {
        /// How far it has come.
        Status as "ToyStatus" { Open = "open", Over = "over" }
    }
    root {
        /// What was said.
        Snapshot as "Toy" { status: Status, speeches: Vec<Speech> }
    }
    objects {
        /// What one has said.
        Spoken as "ToySpoken" { who: String, text: String }
    }
    unions {
        /// Something that was said.
        Speech as "ToySpeech" by "type" { Spoken(Spoken) = "spoken" }
    }
}

impl crate::core::answer::Answer for Snapshot {}

rules! {
    /// Every rule.
    ALL = [];
    MALFORMED = Error "malformed", "T1": "an event" else "it was dropped";
    HALF = Warning "half", "T2": "whole characters" else "U+FFFD";
    AFTER_BYE = Error "after-bye", "T3": "nothing after `bye`" else "it was ignored";
}

/// The toy.
#[derive(Clone, Debug, Default)]
pub struct Toy {
    speaks: Option<(String, TextCell)>,
    over: bool,
}

impl Protocol for Toy {
    type Fold = Limited<Folding<Toy>>;
    type Snapshot = Snapshot;

    fn fold(self, options: &ReadOptions, sink: &mut dyn Sink) -> Self::Fold {
        Limited::new(&options.limits, sink, |_| Folding::new(self, options))
    }
}

impl Semantics for Toy {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = CommonRules {
        malformed_event: &MALFORMED,
        duplicate_key: &MALFORMED,
        null_member: &MALFORMED,
        lone_surrogate: &HALF,
    };

    fn before(&mut self, event: &SseEvent<'_>, cx: &mut Context<'_, '_>) -> bool {
        if self.over {
            cx.breach(&AFTER_BYE, crate::Observed::Text(event.data));
        }
        !self.over
    }

    fn event(&mut self, event: &Reading<'_, '_>, cx: &mut Context<'_, '_>) {
        match Wire::of(event) {
            Wire::Says { who, text, .. } => {
                let who = who.to_str();
                if self.speaks.as_ref().is_none_or(|(last, _)| *last != who) {
                    let owner = cx.own(&who);
                    let node = cx.open(Spoken::KIND, 0, Snapshot::speeches, Counted::Messages, owner);
                    self.speaks = node.map(|node| {
                        cx.set_short(node, Spoken::who, &who);
                        (who.into_owned(), cx.text(node, Spoken::text, Owner::NONE))
                    });
                }
                if let Some((_, cell)) = &self.speaks {
                    cx.append(*cell, text);
                }
            }
            Wire::Bye {} => {
                self.over = true;
                cx.set(0, Snapshot::status, Status::Over.value());
            }
            Wire::Other { .. } => cx.unknown(event.name.map(|name| name.to_str()).as_deref().unwrap_or("")),
        }
    }

    fn finish(&mut self, _: bool, _: &mut Context<'_, '_>) {}

    fn has_ended(&self) -> bool {
        self.over
    }
}

mod tests {
    use alloc::borrow::ToOwned;

    use super::*;
    use crate::core::fold::Fold;
    use crate::read::{Reader, Stream};

    fn stream(count: usize) -> String {
        let mut out = String::new();
        for at in 0..count {
            let who = if at < count / 2 { "a" } else { "b" };
            let text = ["x", r"\n", "你", r"\ud83d", r"\ude00"][at % 5];
            out += &format!(
                "event: says\ndata: {{\"kind\":\"says\",\"who\":\"{who}\",\"nonce\":\"{:x}\",\"text\":\"{text}\",\"at\":{}.5e1}}\n\n",
                at * 7919,
                at * 31
            );
        }
        out + "event: bye\ndata: {\"kind\":\"bye\"}\n\n"
    }

    #[test]
    fn any_cut_gives_the_same_answer() {
        let bytes = stream(40);
        let read = |size: usize| {
            let mut reader = Reader::new(Toy::default());
            bytes.as_bytes().chunks(size).for_each(|chunk| reader.push(chunk));
            let outcome = reader.finish();
            (outcome.snapshot.to_json(), outcome.report.to_json())
        };
        let spoken = "x\\n你😀".repeat(4);
        let expected = format!(
            r#"{{"status":"over","speeches":[{{"type":"spoken","who":"a","text":"{spoken}"}},{{"type":"spoken","who":"b","text":"{spoken}"}}]}}"#
        );
        let whole = read(usize::MAX);
        assert_eq!(whole.0, expected);
        assert!(whole.1.contains(r#""events":41"#) && whole.1.contains(r#""violations":[]"#), "{}", whole.1);
        for size in 1..200 {
            assert_eq!(read(size), whole, "chunks of {size}");
        }
    }

    /// A fold that counts the events it has to read.
    #[test]
    fn named_events_with_a_nonce_and_a_time_are_replayed() {
        let (options, mut snapshot) = (ReadOptions::default(), Snapshot::default());
        let fold = Toy::default().fold(&options, &mut snapshot);
        let mut stream = Stream::new(fold, &options);
        let event = |nonce: &str, at: &str| {
            format!(
                "event: says\ndata: {{\"kind\":\"says\",\"who\":\"a\",\"text\":\"z\",\"nonce\":{nonce},\"at\":{at}}}\n\n"
            )
        };
        stream.push((event("\"1\"", "1") + &event("\"2\"", "2")).as_bytes(), &mut snapshot);
        let learned = stream.fold().repeatable().cloned().expect("one append and nothing else");
        assert_eq!(learned.unread.len(), 2);
        stream.push(event("\"a\\\"b\"", "-3.5e7").repeat(50).as_bytes(), &mut snapshot);
        // The fold has read none of them: what it knows of the last event that it has read is what it knew before.
        assert_eq!(stream.fold().repeatable(), Some(&learned));
        assert_eq!((stream.report().events, snapshot.to_json().matches('z').count()), (52, 52));
        // Another kind of value is another event.
        stream.push(event("null", "3").as_bytes(), &mut snapshot);
        assert_eq!(stream.fold().repeatable().map(|repeat| repeat.unread.len()), Some(1));
    }

    #[test]
    fn what_is_declared_is_made() {
        let data = r#"{"kind":"says","who":"a","text":"x","nonce":"1","at":2}"#;
        let event = Event::decode(data, 8).unwrap().into_owned();
        let Event::Says { who, nonce, at, .. } = &event else { panic!("{event:?}") };
        assert_eq!((&**who, nonce.as_str(), at.to_json()), ("a", Some("1"), "2".to_owned()));
        assert_eq!((event.to_data(), event.name()), (data.to_owned(), Some("says")));
        assert_eq!(event.to_sse(), format!("data: {data}\n\n"));
        assert_eq!((Event::TYPES, ALL.len()), (&["says", "bye"][..], 3));
        assert_eq!(Event::decode(r#"{"kind":"says","text":"x"}"#, 8).unwrap_err().path, "who");
        assert_eq!(
            patch_schema(),
            r#"{"keys":["status","speeches","who","text"],"words":["open","over"],"templates":[{"status":"open","speeches":[]},{"type":"spoken","who":"","text":""}]}"#
        );
    }
}
