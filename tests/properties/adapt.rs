//! Conversion: legal, whole and independent of the cut, whatever comes in.

use agentwire::Ended;
use agentwire::adapt::Losses;
use agentwire::detect::ProtocolKind::{self, AgKit, AgentApi};
use proptest::prelude::*;

use crate::facts::{Facts, convert, read};

const PAIRS: [(ProtocolKind, ProtocolKind); 4] =
    [(AgKit, AgKit), (AgKit, AgentApi), (AgentApi, AgKit), (AgentApi, AgentApi)];

/// A stream of each protocol, from the generators of their readers.
fn streams() -> impl Strategy<Value = [Stream; 2]> {
    (super::ag_kit::stream(), super::reading::stream())
        .prop_map(|(ag_kit, agent_api)| [Stream(ag_kit), Stream(agent_api)])
}

/// Bytes that are shown as text when a case fails.
struct Stream(Vec<u8>);

impl std::ops::Deref for Stream {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

/// The losses behind which the answer is another one.
fn keeps(losses: &Losses) -> bool {
    const TELLING: &[&str] = &[
        "text-replaced",
        "arguments-replaced",
        "part-dropped",
        "late-type",
        "after-end",
        "call-repeated",
        "call-id",
        "call-cut-off",
        "call-id-missing",
        "call-missing",
        "result-repeated",
        "approval-without-request",
        "approval",
        "refused",
    ];
    TELLING.iter().all(|loss| losses.count(loss) == 0)
}

/// What holds whatever order parts came in.
fn substance(mut facts: Facts) -> Facts {
    let mut characters: Vec<char> = facts.text.chars().collect();
    characters.sort_unstable();
    facts.text = characters.into_iter().collect();
    facts.calls.sort();
    facts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_comes_out_is_legal_and_ends(streams in streams(), aborted in any::<bool>()) {
        for ((from, to), bytes) in PAIRS.into_iter().zip([&streams[0], &streams[0], &streams[1], &streams[1]]) {
            let (out, _) = convert(from, to, [&bytes[..]], aborted);
            let report = read(to, out.as_bytes()).1;
            let broken: Vec<_> = report.counts.iter().filter(|(rule, _)| *rule != "arguments-not-json").collect();
            prop_assert!(broken.is_empty(), "{from:?} to {to:?}: {:#?}\n{out}", report.violations);
            prop_assert_eq!(report.ended, Ended::Terminal);
        }
    }

    #[test]
    fn any_cut_gives_the_same(streams in streams(), size in 1usize..60) {
        for ((from, to), bytes) in PAIRS.into_iter().zip([&streams[0], &streams[0], &streams[1], &streams[1]]) {
            let whole = convert(from, to, [&bytes[..]], false);
            for size in [1, size] {
                let cut = convert(from, to, bytes.chunks(size), false);
                prop_assert_eq!(&cut.0, &whole.0);
                prop_assert_eq!(cut.1.to_json(), whole.1.to_json());
            }
        }
    }

    #[test]
    fn the_substance_is_kept(streams in streams()) {
        for ((from, to), bytes) in PAIRS.into_iter().zip([&streams[0], &streams[0], &streams[1], &streams[1]]) {
            let (out, losses) = convert(from, to, [&bytes[..]], false);
            if keeps(&losses) {
                let (said, heard) = (read(from, bytes).0, read(to, out.as_bytes()).0);
                prop_assert_eq!(substance(said), substance(heard), "{:?} to {:?}\n{}", from, to, out);
            }
        }
    }

    #[test]
    fn there_and_back_again(bytes in super::ag_kit::stream().prop_map(Stream)) {
        let (there, first) = convert(AgKit, AgentApi, [&bytes[..]], false);
        let (back, second) = convert(AgentApi, AgKit, [there.as_bytes()], false);
        if keeps(&first) && keeps(&second) {
            prop_assert_eq!(substance(read(AgKit, &bytes).0), substance(read(AgKit, back.as_bytes()).0), "{}", there);
        }
    }
}
