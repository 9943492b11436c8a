//! The tools whose names or inputs differ at the model, by the names of the client.

use alloc::collections::BTreeMap;

use super::{Back, ToolName};

/// Finds tools in time that does not depend on their number.
#[derive(Debug, Default)]
pub(super) struct BackNames<'a> {
    /// By their names: the first one of each.
    first: BTreeMap<&'a str, &'a ToolName>,
    /// By their names and namespaces.
    exact: BTreeMap<(&'a str, &'a str), &'a ToolName>,
}

impl<'a> BackNames<'a> {
    pub fn new(back: &'a Back) -> Self {
        let mut names = BackNames::default();
        for tool in &back.tools {
            names.first.entry(&tool.name).or_insert(tool);
            if let Some(namespace) = &tool.namespace {
                names.exact.entry((&tool.name, namespace)).or_insert(tool);
            }
        }
        names
    }

    /// Returns the tool of a call. A call without a namespace is one of the first tool of its name.
    pub fn get(&self, name: &str, namespace: Option<&str>) -> Option<&'a ToolName> {
        match namespace {
            None => self.first.get(name).copied(),
            Some(namespace) => self.exact.get(&(name, namespace)).copied(),
        }
    }
}
