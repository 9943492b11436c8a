//! The open streams, steps and subagents of a run, and the owners of all ids. (B.6.)

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::bytes::string_map::StringMap;
use crate::core::sink::ObjectId;
use crate::protocols::ag_ui::events::EventKind;

/// The kinds of streams: parts that are opened and closed by id and have content in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::protocols::ag_ui) enum StreamKind {
    Text,
    Call,
    /// A reasoning message.
    Reasoning,
    /// A reasoning block.
    Block,
}

/// The effect of an event on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::protocols::ag_ui) enum OpenAction {
    Start,
    Continue,
    End,
}

/// Kinds that belong to a subagent or to the agent itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::protocols::ag_ui) enum Owned {
    Message,
    Call,
    Reasoning,
    Activity,
}

impl StreamKind {
    /// The number of kinds.
    pub const COUNT: usize = 4;

    const ALL: [Self; Self::COUNT] = [Self::Text, Self::Call, Self::Reasoning, Self::Block];

    /// Returns the events that start, continue and end a stream. A block has no content of its own.
    fn events(self) -> [EventKind; 3] {
        use EventKind::*;
        match self {
            StreamKind::Text => [TextMessageStart, TextMessageContent, TextMessageEnd],
            StreamKind::Call => [ToolCallStart, ToolCallArgs, ToolCallEnd],
            StreamKind::Reasoning => {
                [ReasoningMessageStart, ReasoningMessageContent, ReasoningMessageEnd]
            }
            StreamKind::Block => [ReasoningStart, ReasoningStart, ReasoningEnd],
        }
    }

    /// Returns the kind of stream that an event belongs to, and the effect on it.
    pub fn of(event: EventKind) -> Option<(Self, OpenAction)> {
        const ACTIONS: [OpenAction; 3] = [OpenAction::Start, OpenAction::Continue, OpenAction::End];
        Self::ALL.into_iter().find_map(|stream| {
            let at = stream.events().into_iter().position(|known| known == event)?;
            Some((stream, ACTIONS[at]))
        })
    }

    pub fn start(self) -> EventKind {
        self.events()[0]
    }

    pub fn content(self) -> EventKind {
        self.events()[1]
    }

    pub fn end(self) -> EventKind {
        self.events()[2]
    }

    /// Returns the noun of the official client.
    pub fn noun(self) -> &'static str {
        match self {
            StreamKind::Text => "text message",
            StreamKind::Call => "tool call",
            StreamKind::Reasoning => "reasoning message",
            StreamKind::Block => "reasoning span",
        }
    }

    pub fn owned(self) -> Owned {
        match self {
            StreamKind::Text => Owned::Message,
            StreamKind::Call => Owned::Call,
            StreamKind::Reasoning | StreamKind::Block => Owned::Reasoning,
        }
    }
}

impl Owned {
    pub fn noun(self) -> &'static str {
        match self {
            Owned::Message => "message",
            Owned::Call => "tool call",
            Owned::Reasoning => "reasoning message",
            Owned::Activity => "activity",
        }
    }
}

/// The id of a subagent, or `None` for the agent itself.
pub(in crate::protocols::ag_ui) type Subagent = Option<Box<str>>;

/// Returns the official client's name of a subagent.
pub(in crate::protocols::ag_ui) fn subagent_name(subagent: Option<&str>) -> &str {
    subagent.unwrap_or("(the parent agent)")
}

/// Names, each of which may be open.
#[derive(Clone, Debug, Default)]
pub(in crate::protocols::ag_ui) struct OpenNames {
    places: StringMap<usize>,
    entries: Vec<OpenName>,
    /// The open entries in the order in which they were opened. A closed one leaves its place empty
    /// until most are.
    order: Vec<Option<usize>>,
    open: usize,
}

#[derive(Clone, Debug)]
struct OpenName {
    name: Box<str>,
    /// The place in the order if the name is open.
    place: Option<usize>,
    node: Option<ObjectId>,
}

impl OpenNames {
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_open(&self, name: &str) -> bool {
        self.get(name).is_some_and(|entry| entry.place.is_some())
    }

    /// Returns whether the name is or was open.
    pub fn is_known(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub fn open(&mut self, name: &str) {
        let known = self.places.get(name).copied();
        let at = known.unwrap_or(self.entries.len());
        if known.is_none() {
            self.places.insert(name, at);
            self.entries.push(OpenName { name: name.into(), place: None, node: None });
        }
        self.close_entry(at);
        let entry = &mut self.entries[at];
        (entry.place, entry.node) = (Some(self.order.len()), None);
        self.order.push(Some(at));
        self.open += 1;
    }

    /// Sets the object of a name.
    pub fn attach(&mut self, name: &str, node: Option<ObjectId>) {
        if let Some(&at) = self.places.get(name) {
            self.entries[at].node = node;
        }
    }

    /// Closes a name and returns its object.
    pub fn close(&mut self, name: &str) -> Option<ObjectId> {
        let at = *self.places.get(name)?;
        self.close_entry(at);
        self.entries[at].node
    }

    fn close_entry(&mut self, at: usize) {
        let Some(place) = self.entries[at].place.take() else { return };
        self.order[place] = None;
        self.open -= 1;
        if self.order.len() > 2 * self.open + 16 {
            self.order.retain(Option::is_some);
            let open = self.order.iter().flatten().enumerate();
            open.for_each(|(place, &at)| self.entries[at].place = Some(place));
        }
    }

    /// Returns the open names, in the order in which they were opened.
    pub fn each_open(&self) -> impl Iterator<Item = &str> {
        self.order.iter().flatten().map(|&at| &*self.entries[at].name)
    }

    /// Returns copies of the open names.
    pub fn all_open(&self) -> Vec<String> {
        self.each_open().map(String::from).collect()
    }

    fn get(&self, name: &str) -> Option<&OpenName> {
        self.entries.get(*self.places.get(name)?)
    }
}

/// The steps: a name may be open by several subagents.
#[derive(Clone, Debug, Default)]
pub(in crate::protocols::ag_ui) struct OpenSteps {
    /// The names by subagent, in the order of their first steps.
    subagents: Vec<(Subagent, OpenNames)>,
    by_subagent: StringMap<usize>,
    /// The subagent that opened a name first, among those that have it open.
    first: StringMap<usize>,
    /// The number of names of all subagents.
    count: usize,
}

impl OpenSteps {
    fn subagent(&mut self, subagent: Option<&str>) -> usize {
        let key = key(subagent);
        if let Some(&at) = self.by_subagent.get(&key) {
            return at;
        }
        self.by_subagent.insert(&key, self.subagents.len());
        self.subagents.push((subagent.map(Into::into), OpenNames::default()));
        self.subagents.len() - 1
    }

    /// Closes a step and returns its object.
    pub fn close(&mut self, subagent: Option<&str>, name: &str) -> Option<ObjectId> {
        let at = *self.by_subagent.get(&key(subagent))?;
        self.subagents.get_mut(at)?.1.close(name)
    }

    pub fn is_open(&self, subagent: Option<&str>, name: &str) -> bool {
        let subagent = self.by_subagent.get(&key(subagent)).and_then(|at| self.subagents.get(*at));
        subagent.is_some_and(|(_, names)| names.is_open(name))
    }

    /// Sets the object of a step.
    pub fn attach(&mut self, subagent: Option<&str>, name: &str, node: Option<ObjectId>) {
        let at = self.subagent(subagent);
        self.subagents[at].1.attach(name, node);
    }

    pub fn open(&mut self, subagent: Option<&str>, name: &str) {
        let at = self.subagent(subagent);
        let names = &mut self.subagents[at].1;
        let before = names.len();
        names.open(name);
        self.count += names.len() - before;
        if self.subagent_with_step(name).is_none() {
            self.first.insert(name, at);
        }
    }

    /// Returns another subagent that has a step of this name open.
    pub fn subagent_with_step(&self, name: &str) -> Option<&Subagent> {
        let (subagent, names) = self.subagents.get(*self.first.get(name)?)?;
        names.is_open(name).then_some(subagent)
    }

    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns the open steps with their subagents.
    pub fn all(&self) -> impl Iterator<Item = (Subagent, Box<str>)> {
        self.subagents.iter().flat_map(|(subagent, names)| {
            names.each_open().map(|name| (subagent.clone(), Box::from(name)))
        })
    }

    /// Returns the open steps with the official client's names.
    pub fn all_open(&self) -> Vec<String> {
        let name = |(subagent, name): (Subagent, Box<str>)| match subagent {
            Some(subagent) => [&*name, " (subagent '", &subagent, "')"].concat(),
            None => name.into(),
        };
        self.all().map(name).collect()
    }
}

/// Returns the name of a subagent in a map. The agent itself has the empty name, which no subagent
/// has.
fn key(subagent: Option<&str>) -> String {
    subagent.map_or(String::new(), |subagent| ["-", subagent].concat())
}

/// All open entries of a run, and the owners of all ids of the run.
#[derive(Clone, Debug, Default)]
pub(in crate::protocols::ag_ui) struct Open {
    pub streams: [OpenNames; StreamKind::COUNT],
    pub steps: OpenSteps,
    pub subagents: OpenNames,
    owners: [StringMap<Subagent>; 4],
}

impl Open {
    pub fn names(&self, stream: StreamKind) -> &OpenNames {
        &self.streams[stream as usize]
    }

    pub fn names_mut(&mut self, stream: StreamKind) -> &mut OpenNames {
        &mut self.streams[stream as usize]
    }

    pub fn owner(&self, owned: Owned, id: &str) -> Option<&Subagent> {
        self.owners[owned as usize].get(id)
    }

    pub fn set_owner(&mut self, owned: Owned, id: &str, subagent: Option<&str>) {
        self.owners[owned as usize].insert(id, subagent.map(Into::into));
    }

    /// Sets the owner of an id that has none.
    pub fn set_new_owner(&mut self, owned: Owned, id: &str, subagent: Option<&str>) {
        if self.owner(owned, id).is_none() {
            self.set_owner(owned, id, subagent);
        }
    }

    /// Returns the number of entries, which must be bounded.
    pub fn len(&self) -> usize {
        let names: usize = self.streams.iter().map(OpenNames::len).sum();
        let owners: usize = self.owners.iter().map(StringMap::len).sum();
        names + owners + self.steps.len() + self.subagents.len()
    }
}
