//! For information: one flat struct that borrows as much as possible, the fastest with serde_json
//! without code by hand.

use std::borrow::Cow;

use serde::Deserialize;

use super::Chunks;
use super::blocks;
use super::state::{Content, Data, State, Status, Usage};

#[derive(Deserialize)]
struct Event<'a> {
    object: &'a str,
    status: Status,
    id: Option<&'a str>,
    r#type: Option<&'a str>,
    role: Option<&'a str>,
    usage: Option<Usage>,
    msg_id: Option<&'a str>,
    #[serde(default)]
    index: usize,
    #[serde(default)]
    delta: bool,
    #[serde(borrow)]
    text: Option<Text<'a>>,
    #[serde(borrow)]
    data: Option<Piece<'a>>,
}

/// `Option<Cow<str>>` would own every text: serde borrows a `Cow` only where the field itself is
/// one.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Deserialize)]
struct Piece<'a> {
    #[serde(borrow)]
    call_id: Option<Text<'a>>,
    #[serde(borrow)]
    name: Option<Text<'a>>,
    #[serde(borrow)]
    arguments: Option<Text<'a>>,
    #[serde(borrow)]
    output: Option<Text<'a>>,
}

pub fn read(chunks: Chunks<'_>) -> State {
    let mut state = State::default();
    blocks::feed(chunks, |data| {
        reduce(&mut state, serde_json::from_str(&data).expect("the corpora are JSON"));
    });
    state
}

fn reduce(state: &mut State, event: Event<'_>) {
    match event.object {
        "response" => {
            state.response.id = event.id.unwrap_or_default().to_owned();
            state.response.status = event.status;
            state.response.usage = event.usage;
        }
        "message" => {
            let message = state.message(event.id.unwrap_or_default());
            message.status = event.status;
            message.kind = event.r#type.unwrap_or_default().to_owned();
            message.role = event.role.unwrap_or_default().to_owned();
        }
        "content" => {
            let content = state.message(event.msg_id.unwrap_or_default()).content(event.index);
            content.status = event.status;
            if let Some(Text(text)) = event.text {
                content.text(event.delta, &text);
            }
            if let Some(data) = event.data {
                merge(content, event.delta, data);
            }
        }
        _ => {}
    }
}

fn merge(content: &mut Content, delta: bool, added: Piece<'_>) {
    let owned = |text: Option<Text<'_>>| text.map(|Text(text)| text.into_owned());
    let data = match &mut content.data {
        Some(data) if delta => data,
        data => data.insert(Data::default()),
    };
    data.call_id = owned(added.call_id).or(data.call_id.take());
    data.name = owned(added.name).or(data.name.take());
    for (slot, piece) in [(&mut data.arguments, added.arguments), (&mut data.output, added.output)]
    {
        if let Some(Text(piece)) = piece {
            slot.get_or_insert_default().push_str(&piece);
        }
    }
}
