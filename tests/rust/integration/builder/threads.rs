//! Handles on several threads, which need `std`.

use super::{member, open, options, started};
use agentwire::agent_api::builder::{
    BuilderOptions, ContentBuilder, MessageBuilder, ResponseBuilder,
};
use agentwire::builder::IdSource;
use agentwire::builder::WireEvent;

#[test]
fn handles_can_be_used_from_several_threads() {
    fn check<T: Send + Sync + Clone + core::fmt::Debug + 'static>() {}
    check::<ResponseBuilder>();
    check::<MessageBuilder>();
    check::<ContentBuilder>();
    check::<WireEvent>();
    let response = started();
    let message = open(&response);
    let text = message.create_content_builder("text").unwrap();
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let text = text.clone();
            std::thread::spawn(move || {
                let numbers = (0..250).map(|_| text.add_text_delta("x").unwrap().sequence_number());
                numbers.map(Option::unwrap).collect::<Vec<_>>()
            })
        })
        .collect();
    let mut numbers: Vec<_> = threads.into_iter().flat_map(|t| t.join().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (3..1003).collect::<Vec<_>>());
    assert_eq!(member(&text.complete().unwrap(), "text").len(), 1002);
    let shown = format!("{response:?} {message:?} {text:?} {:?}", options());
    assert!(shown.contains("response_1") && shown.contains("msg_2"), "{shown}");
}

/// Panics when the id of a message is requested.
struct Fragile;

impl IdSource for Fragile {
    fn next_id(&mut self, prefix: &str) -> String {
        assert!(prefix != "msg_", "as told");
        format!("{prefix}1")
    }
}

#[test]
fn a_panic_in_a_callback_leaves_the_builder_usable() {
    let clock = || {
        assert!(std::thread::current().name() != Some("fragile"), "as told");
        0
    };
    let response = ResponseBuilder::new(BuilderOptions::new(Fragile, clock));
    drop([response.created().unwrap(), response.in_progress().unwrap()]);
    for step in 0..2 {
        let response = response.clone();
        let run = move || match step {
            0 => drop(response.create_message_builder("assistant", "message")),
            _ => drop(response.completed()),
        };
        let thread = std::thread::Builder::new().name("fragile".to_owned()).spawn(run).unwrap();
        assert!(thread.join().is_err(), "{step}");
    }
    assert_eq!(response.completed().unwrap().sequence_number(), Some(2));
}
