//! From the Agent API to the hub.
//!
//! The fold of the protocol decides what a stream means, and the snapshot keeps the answer; what is new in it is said. So
//! a text that is only said again is not said twice, a snapshot that grew says what it grew by, and a stream that breaks
//! rules is taken as a reader takes it. What was said cannot be taken back: a value that replaces another one is noted.

use super::NAME;
use super::objects::State;
use crate::core::fold::{Fold, Key, Kind, Limited, Node, Protocol, Sink, SinkValue};
use crate::core::options::ReadOptions;
use crate::core::report::Ended;
use crate::hub::context::Context;
use crate::hub::end::{RunEnd, RunError};
use crate::hub::loss::Losses;
use crate::hub::source::{Source, pass_unknown, refused};
use crate::hub::step::Step;
use crate::hub::transducer::{Hub, ToHub};
use crate::json::{Document, Raw, Str};
use crate::protocols::agent_api::event::Event as WireEvent;
use crate::protocols::agent_api::{AgentApi, AgentApiFold, schema};
use crate::sse;

/// Reads the Agent API: the source of a conversion.
#[derive(Debug)]
pub struct FromAgentApi {
    fold: Limited<AgentApiFold>,
    state: State,
    depth: u32,
    ended: bool,
}

impl FromAgentApi {
    /// A source at the start of a stream. Heartbeats are passed on in any case, and are never messages.
    pub fn new(mut protocol: AgentApi, options: &ReadOptions) -> Self {
        protocol.keep_heartbeats = false;
        let (mut state, mut losses) = (State::default(), Losses::default());
        // The fold opens the response, of which there is nothing to say yet.
        let mut hub = |_: &Step<'_>, _: Context<'_>, _: &mut Losses| ();
        let hub = &mut Hub::new(&mut hub, &mut losses);
        let fold = protocol.fold(options, &mut Telling { state: &mut state, hub });
        FromAgentApi { fold, state, depth: options.limits.json_depth, ended: false }
    }

    /// After each event: what the sink could not say before it had all of it.
    fn settle(&mut self, hub: &mut Hub<'_>) {
        self.state.settle(hub);
        if !self.ended && self.fold.has_ended() && self.fold.report().ended != Ended::Refused {
            self.end(hub);
        }
    }

    fn end(&mut self, hub: &mut Hub<'_>) {
        self.ended = true;
        self.state.end(hub);
        let report = self.fold.report();
        let response = &self.state.snapshot.response;
        let end = match report.ended {
            Ended::Refused => refused(report),
            ended => {
                let mut end = RunEnd::new(response.status.clone());
                end.usage.clone_from(&response.usage);
                end.error = response
                    .error
                    .as_ref()
                    .map(|error| RunError { code: Some(error.code.clone()), message: error.message.clone() });
                let details = response.extra.iter().find(|member| member.key == "incomplete_details");
                let reason = details.and_then(|details| details.value.get("reason")?.as_str());
                end.reason = reason.map(Into::into);
                if ended == Ended::Eof {
                    end.reason = Some(RunEnd::CUT_OFF.into());
                }
                end
            }
        };
        hub.emit(&Step::End(&end));
    }

    /// R34: the fold passes heartbeats by.
    fn is_heartbeat(&self, data: &str) -> bool {
        data.contains("\"heartbeat\"")
            && Document::read(data, self.depth).is_ok_and(|document| {
                matches!(WireEvent::decode(&document), Ok(WireEvent::Message(message))
                    if message.kind().is_some_and(|kind| kind == "heartbeat"))
            })
    }
}

impl ToHub for FromAgentApi {
    type Event<'e> = &'e sse::SseEvent<'e>;

    fn feed(&mut self, event: &sse::SseEvent<'_>, hub: &mut Hub<'_>) {
        if self.is_heartbeat(event.data) {
            hub.emit(&Step::Heartbeat);
        }
        self.fold.event(event, &mut Telling { state: &mut self.state, hub });
        pass_unknown(NAME, event.data, self.fold.report_mut(), hub);
        self.settle(hub);
    }

    fn finish(&mut self, aborted: bool, hub: &mut Hub<'_>) {
        self.fold.finish(aborted, &mut Telling { state: &mut self.state, hub });
        if !self.ended {
            self.end(hub);
        }
    }
}

impl Source for FromAgentApi {
    type Fold = Limited<AgentApiFold>;

    fn fold(&self) -> &Limited<AgentApiFold> {
        &self.fold
    }

    fn fold_mut(&mut self) -> &mut Limited<AgentApiFold> {
        &mut self.fold
    }

    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, hub: &mut Hub<'_>) {
        self.fold.repeat(number, text, offset, &mut Telling { state: &mut self.state, hub });
        self.state.settle(hub);
    }
}

/// The sink: it says what can be said at once, and leaves the rest to [`State::settle`].
struct Telling<'t, 'o> {
    state: &'t mut State,
    hub: &'t mut Hub<'o>,
}

impl Sink for Telling<'_, '_> {
    fn open(&mut self, kind: Kind, parent: Node, list: Key) {
        self.state.open(kind, parent, list);
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>) {
        if let (SinkValue::Str(text), schema::TEXT | schema::REFUSAL) = (value, key) {
            self.state.replace(node, text, self.hub);
        }
        self.state.set(node, key, value, self.hub);
    }

    fn append(&mut self, node: Node, key: Key, text: &str) {
        self.state.append(node, key, text, self.hub);
    }

    fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>) {
        self.state.set_extra(node, name, value, self.hub);
    }

    fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {
        self.state.keep_said(node);
        self.state.touch(node);
        self.state.snapshot.set_in(node, key, path, value);
    }

    fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str) {
        self.state.append_in(node, path, text, self.hub);
        self.state.snapshot.append_in(node, key, path, text);
    }

    fn extend_in(&mut self, node: Node, key: Key, path: &[&str], items: Raw<'_>) {
        self.state.touch(node);
        self.state.snapshot.extend_in(node, key, path, items);
    }

    fn add_in(&mut self, node: Node, key: Key, path: &[&str], summand: Raw<'_>, float: bool) {
        self.state.touch(node);
        self.state.snapshot.add_in(node, key, path, summand, float);
    }

    fn share(&mut self, node: Node, key: Key, from: Node, from_key: Key) {
        self.state.touch(node);
        self.state.snapshot.share(node, key, from, from_key);
    }

    fn move_last(&mut self, parent: Node, list: Key, node: Node, at: usize) {
        self.state.snapshot.move_last(parent, list, node, at);
    }

    fn remove(&mut self, parent: Node, list: Key, node: Node) {
        self.state.drop_part(parent, node, self.hub);
        self.state.snapshot.remove(parent, list, node);
    }

    fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node]) {
        self.state.drop_others(parent, nodes, self.hub);
        self.state.snapshot.arrange(parent, list, nodes);
    }
}
