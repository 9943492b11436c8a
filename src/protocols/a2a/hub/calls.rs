//! Notes about a call that arrive before its artifact: a call is a part that is sent whole, and its progress is
//! metadata of the task. (2.4.)

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use crate::bytes::string_map::StringMap;
use crate::hub::Hub;
use crate::hub::steps::say_note;
use crate::json::Value;

/// The calls that have begun, and those with notes that wait.
#[derive(Debug, Default)]
pub(super) struct Calls {
    by_id: StringMap<Call>,
    /// The notes that wait for their calls: the name and the members of the step.
    waiting: Vec<Option<(String, Value)>>,
}

#[derive(Debug, Default)]
struct Call {
    has_begun: bool,
    waiting: Vec<usize>,
}

impl Calls {
    /// Emits a step, or keeps it until its call begins. Returns false if the name is not that of a step.
    pub fn note(&mut self, step: &str, value: &Value, hub: &mut Hub<'_>) -> bool {
        let id = value.text("id").filter(|_| matches!(step, "progress" | "output"));
        if let Some(id) = id {
            let call = self.by_id.get_or_insert_default(id);
            if !call.has_begun {
                call.waiting.push(self.waiting.len());
                self.waiting.push(Some((step.to_owned(), value.clone())));
                return true;
            }
        }
        say_note(step, value, hub)
    }

    /// Emits the notes that wait for calls which have begun.
    pub fn begin(&mut self, ids: &[String], hub: &mut Hub<'_>) {
        for id in ids {
            let call = self.by_id.get_or_insert_default(id);
            call.has_begun = true;
            for at in core::mem::take(&mut call.waiting) {
                self.say(at, hub);
            }
        }
    }

    /// Emits all notes that wait: no more calls begin.
    pub fn end(&mut self, hub: &mut Hub<'_>) {
        (0..self.waiting.len()).for_each(|at| self.say(at, hub));
    }

    fn say(&mut self, at: usize, hub: &mut Hub<'_>) {
        if let Some((step, value)) = self.waiting[at].take() {
            say_note(&step, &value, hub);
        }
    }
}
