//! The open texts, calls, spans, steps and subagents of a run, and the lanes of all ids. (B.6.)

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::bytes::string_map::StringMap;
use crate::core::sink::Node;

/// Kinds that are opened and closed by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::protocols::ag_ui) enum Thing {
    Text,
    Call,
    Reasoning,
    Span,
}

/// Kinds that belong to a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::protocols::ag_ui) enum Owned {
    Message,
    Call,
    Reasoning,
    Activity,
}

/// The nouns and event names of the official client for a kind.
pub(in crate::protocols::ag_ui) struct Words {
    pub start: &'static str,
    pub end: &'static str,
    pub noun: &'static str,
    pub owned: Owned,
}

impl Thing {
    /// The number of kinds.
    pub const COUNT: usize = 4;

    pub fn words(self) -> Words {
        let words = |start, end, noun, owned| Words { start, end, noun, owned };
        match self {
            Thing::Text => words("TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "text message", Owned::Message),
            Thing::Call => words("TOOL_CALL_START", "TOOL_CALL_END", "tool call", Owned::Call),
            Thing::Reasoning => words(
                "REASONING_MESSAGE_START",
                "REASONING_MESSAGE_END",
                "reasoning message",
                Owned::Reasoning,
            ),
            Thing::Span => words("REASONING_START", "REASONING_END", "reasoning span", Owned::Reasoning),
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

/// A lane: the subagent's id, or `None` for the agent itself.
pub(in crate::protocols::ag_ui) type Lane = Option<Box<str>>;

/// Returns the official client's name of a lane.
pub(in crate::protocols::ag_ui) fn lane_name(lane: Option<&str>) -> &str {
    lane.unwrap_or("(the parent agent)")
}

/// Names, each of which may be open.
#[derive(Debug, Default)]
pub(in crate::protocols::ag_ui) struct Names {
    places: StringMap<usize>,
    entries: Vec<Entry>,
    /// The first of the list of open entries, which is in the order of opening.
    first: Option<usize>,
    last: Option<usize>,
}

#[derive(Debug)]
struct Entry {
    name: Box<str>,
    is_open: bool,
    /// The neighbours in the list of open entries.
    before: Option<usize>,
    after: Option<usize>,
    node: Option<Node>,
}

impl Names {
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_open(&self, name: &str) -> bool {
        self.get(name).is_some_and(|entry| entry.is_open)
    }

    /// Returns whether the name is or was open.
    pub fn is_known(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub fn open(&mut self, name: &str, node: Option<Node>) {
        let known = self.places.get(name).copied();
        let at = known.unwrap_or(self.entries.len());
        if known.is_none() {
            self.places.insert(name, at);
            self.entries.push(Entry {
                name: name.into(),
                is_open: false,
                before: None,
                after: None,
                node: None,
            });
        }
        self.unlink(at);
        let before = self.last.replace(at);
        match before {
            Some(before) => self.entries[before].after = Some(at),
            None => self.first = Some(at),
        }
        let entry = &mut self.entries[at];
        (entry.is_open, entry.before, entry.node) = (true, before, node);
    }

    /// Closes a name and returns its object.
    pub fn close(&mut self, name: &str) -> Option<Node> {
        let at = *self.places.get(name)?;
        self.unlink(at);
        self.entries[at].node
    }

    /// Removes an entry from the list of open entries, if it is there.
    fn unlink(&mut self, at: usize) {
        let entry = &mut self.entries[at];
        if !core::mem::take(&mut entry.is_open) {
            return;
        }
        let (before, after) = (entry.before.take(), entry.after.take());
        match before {
            Some(before) => self.entries[before].after = after,
            None => self.first = after,
        }
        match after {
            Some(after) => self.entries[after].before = before,
            None => self.last = before,
        }
    }

    /// Returns the open names, in the order in which they were opened.
    pub fn each_open(&self) -> impl Iterator<Item = &str> {
        let entry = |at: Option<usize>| at.and_then(|at| self.entries.get(at));
        core::iter::successors(entry(self.first), move |known| entry(known.after)).map(|entry| &*entry.name)
    }

    /// Returns the open names as a list.
    pub fn all_open(&self) -> Vec<&str> {
        self.each_open().collect()
    }

    fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.get(*self.places.get(name)?)
    }
}

/// The steps: a name may be open in several lanes.
#[derive(Debug, Default)]
pub(in crate::protocols::ag_ui) struct Steps {
    /// The names by lane, in the order in which the lanes came.
    lanes: Vec<(Lane, Names)>,
    by_lane: StringMap<usize>,
    /// The lane that opened a name first, among those in which it is open.
    first: StringMap<usize>,
    /// The number of names in all lanes.
    count: usize,
}

impl Steps {
    fn lane(&mut self, lane: Option<&str>) -> usize {
        let key = key(lane);
        if let Some(&at) = self.by_lane.get(&key) {
            return at;
        }
        self.by_lane.insert(&key, self.lanes.len());
        self.lanes.push((lane.map(Into::into), Names::default()));
        self.lanes.len() - 1
    }

    /// Closes a step and returns its object.
    pub fn close(&mut self, lane: Option<&str>, name: &str) -> Option<Node> {
        let at = *self.by_lane.get(&key(lane))?;
        self.lanes.get_mut(at)?.1.close(name)
    }

    pub fn is_open(&self, lane: Option<&str>, name: &str) -> bool {
        let lane = self.by_lane.get(&key(lane)).and_then(|at| self.lanes.get(*at));
        lane.is_some_and(|(_, names)| names.is_open(name))
    }

    pub fn open(&mut self, lane: Option<&str>, name: &str, node: Option<Node>) {
        let at = self.lane(lane);
        let names = &mut self.lanes[at].1;
        let before = names.len();
        names.open(name, node);
        self.count += names.len() - before;
        if self.elsewhere(name).is_none() {
            self.first.insert(name, at);
        }
    }

    /// Returns another lane in which a step of this name is open.
    pub fn elsewhere(&self, name: &str) -> Option<&Lane> {
        let (lane, names) = self.lanes.get(*self.first.get(name)?)?;
        names.is_open(name).then_some(lane)
    }

    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns the open steps with their lanes.
    pub fn all(&self) -> impl Iterator<Item = (Lane, Box<str>)> {
        let of_lane = |(lane, names): &(Lane, Names)| {
            names.all_open().into_iter().map(|name| (lane.clone(), name.into())).collect::<Vec<_>>()
        };
        self.lanes.iter().flat_map(of_lane)
    }

    /// Returns the open steps with the official client's names.
    pub fn all_open(&self) -> Vec<String> {
        let of_lane = |(lane, names): &(Lane, Names)| -> Vec<String> {
            let name = |name: &str| match lane {
                Some(lane) => [name, " (subagent '", lane, "')"].concat(),
                None => name.into(),
            };
            names.all_open().into_iter().map(name).collect()
        };
        self.lanes.iter().flat_map(of_lane).collect()
    }
}

/// Returns the name of a lane in a map. The agent itself has the empty name, which no subagent has.
fn key(lane: Option<&str>) -> String {
    lane.map_or(String::new(), |lane| ["-", lane].concat())
}

/// All open entries of a run, and the lanes of all ids that the run has had.
#[derive(Debug, Default)]
pub(in crate::protocols::ag_ui) struct Open {
    pub things: [Names; 4],
    pub steps: Steps,
    pub subagents: Names,
    owners: [StringMap<Lane>; 4],
}

impl Open {
    pub fn names(&self, thing: Thing) -> &Names {
        &self.things[thing as usize]
    }

    pub fn names_mut(&mut self, thing: Thing) -> &mut Names {
        &mut self.things[thing as usize]
    }

    pub fn owner(&self, owned: Owned, id: &str) -> Option<&Lane> {
        self.owners[owned as usize].get(id)
    }

    pub fn own(&mut self, owned: Owned, id: &str, lane: Option<&str>) {
        self.owners[owned as usize].insert(id, lane.map(Into::into));
    }

    /// Sets the lane of an id, unless it has one already.
    pub fn own_new(&mut self, owned: Owned, id: &str, lane: Option<&str>) {
        if self.owner(owned, id).is_none() {
            self.own(owned, id, lane);
        }
    }

    /// Returns the number of entries, which must be bounded.
    pub fn len(&self) -> usize {
        let names: usize = self.things.iter().map(Names::len).sum();
        let owners: usize = self.owners.iter().map(StringMap::len).sum();
        names + owners + self.steps.len() + self.subagents.len()
    }
}
