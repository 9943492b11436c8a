//! The member `agentwire` of the metadata of messages and calls:
//!
//! | member | value |
//! |---|---|
//! | `turn` | `new` if the message begins a turn although the one before it could go on, `same` if it is the other way |
//! | `summary` | the reasoning is a summary |
//! | `run_by` | `provider` if the provider of the model runs the tool, `client_builtin` if it declares the tool |

use crate::hub::conversation::RunBy;
use crate::hub::conversation::members::{take, take_bool, write_members};
use crate::json::{ObjectWriter, Value};

/// What the metadata of a message or call say.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks {
    /// Whether the message begins a turn, if that does not follow from the message before it.
    pub begins: Option<bool>,
    pub is_summary: bool,
    pub by: RunBy,
}

impl Marks {
    /// Takes the marks of a message or call.
    pub fn take(message: &mut Value) -> Self {
        let mut marks = take(message, "metadata.agentwire").unwrap_or_default();
        Marks {
            begins: marks.text("turn").map(|turn| turn == "new"),
            is_summary: take_bool(&mut marks, "summary") == Some(true),
            by: match marks.text("run_by") {
                Some("provider") => RunBy::Provider,
                Some("client_builtin") => RunBy::ClientBuiltin,
                _ => RunBy::Client,
            },
        }
    }

    /// Writes the metadata: `own`, and the marks.
    pub fn write(self, own: Option<&Value>, message: &mut ObjectWriter<'_>) {
        let Marks { begins, is_summary, by } = self;
        let is_marked = begins.is_some() || is_summary || by != RunBy::Client;
        if own.is_none() && !is_marked {
            return;
        }
        let mut metadata = ObjectWriter::open(message.member("metadata"), true);
        if let Some(Value::Object(members)) = own {
            write_members(members, &mut metadata);
        }
        if is_marked {
            let mut marks = ObjectWriter::open(metadata.member("agentwire"), true);
            marks.string("turn", begins.map(|begins| if begins { "new" } else { "same" }));
            marks.bool("summary", is_summary.then_some(true));
            let by = match by {
                RunBy::Client => None,
                RunBy::ClientBuiltin => Some("client_builtin"),
                RunBy::Provider => Some("provider"),
            };
            marks.string("run_by", by);
            marks.close();
        }
        metadata.close();
    }
}
