//! The names of items. (O4.)

use alloc::string::String;

use crate::json::Element;
use crate::protocols::responses::ItemType;

/// The names of an item.
pub(super) struct Names {
    pub kind: ItemType,
    pub id: Option<String>,
    pub call: Option<String>,
}

impl Names {
    pub fn of(json: Element<'_, '_>) -> Self {
        let text = |name| Some(json.member(name)?.id().ok()?.to_str().into_owned());
        Names {
            kind: ItemType::from(&*text("type").unwrap_or_default()),
            id: text("id").filter(|id| !id.is_empty()),
            call: text("call_id"),
        }
    }

    /// Returns whether the item is identified by its call instead of its id. (O5)
    pub fn is_call(&self) -> bool {
        use ItemType::*;
        matches!(self.kind, FunctionCall | CustomToolCall | ShellCall | ShellCallOutput)
    }

    pub fn id(&self) -> &str {
        self.id.as_deref().unwrap_or_default()
    }

    pub fn call_key(&self) -> Option<String> {
        let call = self.call.as_deref().filter(|_| self.is_call())?;
        Some([self.kind.as_str(), "\n", call].concat())
    }
}
