//! The calls of an answer as calls of the client's tools, which the model may know under other
//! names and in other forms.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::text_input::TextInput;
use crate::hub::conversation::Back;
use crate::hub::{ITEM_TYPE, InputFormat, NAMESPACE, Note, Step};
use crate::json::{Member, Value};

/// The place of a call: its message and its part.
type RelayedCall = (u32, u32);

/// The tools of the client, and the calls whose arguments are text.
#[derive(Debug, Default)]
pub(super) struct ClientTools {
    back: Back,
    texts: BTreeMap<RelayedCall, TextInput>,
    /// The ids of such calls.
    ids: Vec<String>,
}

impl ClientTools {
    pub fn new(back: Back) -> Self {
        ClientTools { back, ..Self::default() }
    }

    /// Passes a step on as it is for the tools of the client.
    pub fn restore(&mut self, step: &Step<'_>, pass: &mut dyn FnMut(&Step<'_>)) {
        if self.back.is_empty() {
            return pass(step);
        }
        match *step {
            Step::Call { message, part, id, name, input, more } => {
                let Some(tool) = self.back.tool(name) else { return pass(step) };
                let mut members = more.to_vec();
                let further = [(NAMESPACE, &tool.namespace), (ITEM_TYPE, &tool.item)];
                members.extend(further.into_iter().filter_map(|(key, value)| {
                    let value = Value::from(value.as_deref()?);
                    Some(Member { key: key.into(), value })
                }));
                let input = if tool.is_text { InputFormat::Text } else { input };
                if tool.is_text {
                    self.texts.insert((message, part), TextInput::default());
                    self.ids.push(id.into());
                }
                pass(&Step::Call { message, part, id, name: &tool.name, input, more: &members });
            }
            Step::Arguments { message, part, piece } => {
                match self.texts.get_mut(&(message, part)) {
                    Some(input) => arguments((message, part), &input.push(piece), pass),
                    None => pass(step),
                }
            }
            Step::Note(Note::Replace { message, part, text, call: Some(call) })
                if self.is_text(call) =>
            {
                self.texts.remove(&(message, part));
                let text = Back::text_of(text);
                pass(&Step::Note(Note::Replace { message, part, text: &text, call: Some(call) }));
            }
            Step::EndPart { message, part, .. } => {
                self.finish((message, part), pass);
                pass(step);
            }
            Step::Close { message, .. } => {
                let open =
                    self.texts.range((message, 0)..=(message, u32::MAX)).map(|(place, _)| *place);
                for place in open.collect::<Vec<_>>() {
                    self.finish(place, pass);
                }
                pass(step);
            }
            _ => pass(step),
        }
    }

    fn is_text(&self, call: &str) -> bool {
        self.ids.iter().any(|id| id == call)
    }

    fn finish(&mut self, place: RelayedCall, pass: &mut dyn FnMut(&Step<'_>)) {
        if let Some(input) = self.texts.remove(&place) {
            arguments(place, &input.finish(), pass);
        }
    }
}

fn arguments((message, part): RelayedCall, piece: &str, pass: &mut dyn FnMut(&Step<'_>)) {
    if !piece.is_empty() {
        pass(&Step::Arguments { message, part, piece });
    }
}
