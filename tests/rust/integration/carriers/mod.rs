//! What an answer has for the next request, in the carriers of each protocol: the sealed strings
//! open to the members of the model's block, at the part, the call or the result that they belong
//! to, in the order of the blocks.

mod client;
mod continued;
mod next_request;
mod sources;

use agentwire::ProtocolKind::{self, A2a, AgUi, AgentApi, AiSdk, Responses};
use agentwire::agent_api::builder::BuilderOptions;
use agentwire::builder::Counter;
use agentwire::convert::{ConvertOptions, Converter};
use agentwire::hub::Losses;

use self::client::carried;

/// The protocols whose clients carry opaque members.
const CARRIERS: [ProtocolKind; 5] = [Responses, AgUi, AiSdk, AgentApi, A2a];

const SCOPE: &str = "0a1b2c3d";

fn options() -> ConvertOptions {
    let mut options = ConvertOptions::new(BuilderOptions::new(Counter::default(), || 0));
    options.read.options.scope = Some(SCOPE.into());
    options
}

fn convert_with(
    options: ConvertOptions,
    from: ProtocolKind,
    to: ProtocolKind,
    stream: &str,
) -> (String, Losses) {
    let mut converter = Converter::new(from, to, options).expect("protocols that are converted");
    let mut out = String::new();
    // Chunks of a few events, as a network has them.
    stream.as_bytes().chunks(700).for_each(|chunk| converter.push(chunk, &mut out));
    converter.finish(&mut out);
    (out, converter.losses().expect("a source").clone())
}

fn convert(from: ProtocolKind, to: ProtocolKind, stream: &str) -> (String, Losses) {
    convert_with(options(), from, to, stream)
}

/// Checks what the client of each protocol carries, and what it carries after another conversion
/// from that protocol.
fn check(from: ProtocolKind, stream: &str, expected: &[&str]) {
    let mut wrong = String::new();
    let mut compare = |way: &[ProtocolKind], out: &str, losses: &Losses| {
        let last = *way.last().expect("a target");
        let got = carried(last, out);
        // Members that a protocol has after what they belong to come too late for some targets.
        let is_late = way.len() > 2 && losses.count("opaque") > 0;
        if !is_late && (got != expected || losses.count("opaque") > 0) {
            let way: Vec<_> = way.iter().map(|kind| kind.as_str()).collect();
            wrong +=
                &format!("{}:\n  {}\n  {}\n", way.join(" to "), got.join("\n  "), losses.to_json());
        }
    };
    for to in CARRIERS {
        let (out, losses) = convert(from, to, stream);
        compare(&[from, to], &out, &losses);
        for next in CARRIERS {
            let (again, losses) = convert(to, next, &out);
            compare(&[from, to, next], &again, &losses);
        }
    }
    let mut requests = String::new();
    for to in CARRIERS {
        if let Some(difference) =
            next_request::difference(from, stream, to, &convert(from, to, stream).0)
        {
            requests += &format!("{}:\n  {difference}\n", to.as_str());
        }
    }
    assert!(requests.is_empty(), "{requests}");
    assert!(wrong.is_empty(), "expected:\n  {}\n{wrong}", expected.join("\n  "));
}
