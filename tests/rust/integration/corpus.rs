//! Every stream of `tests/data/corpus`, of any protocol, with all chunk sizes.

use std::collections::BTreeSet;

use agentwire::ProtocolKind;
use agentwire::json::Value;
use agentwire::read::AnyOutcome;
use agentwire::read::{Detector, FALLBACK};
use agentwire::{Limits, Violation};
use agentwire_cases::{Case, cut};

use crate::reading::{framing_of, options, protocol_of, read};

#[test]
fn every_folder_is_a_valid_case() {
    let wrong: Vec<String> =
        agentwire_cases::all().iter().flat_map(agentwire_cases::complaints).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_case_is_read_at_any_chunk_boundary() {
    for case in agentwire_cases::reads() {
        let expected = Expected::of(&case);
        let stream = case.stream();
        let read =
            |chunks: &[&[u8]]| read(protocol_of(&case), options(&case), chunks.iter().copied());
        let whole = read(&[&stream]);
        expected.check("whole", &whole, &|offset| offset);
        let report = whole.report.to_json();
        let check = |how: &str, chunks: &[&[u8]]| {
            let outcome = read(chunks);
            expected.check(how, &outcome, &|offset| offset);
            assert_eq!(outcome.report.to_json(), report, "{case}, {how}: the report");
        };
        check("byte by byte", &cut::single(&stream));
        for seed in 0..4 {
            check(&format!("random cuts, seed {seed}"), &cut::random(&stream, seed));
        }
        // CRLF line ends would be doubled. Binary streams have no line ends.
        if stream.contains(&b'\r') || case.is_binary() {
            continue;
        }
        let crlf = cut::crlf(&stream);
        let moved = |offset: u64| {
            let before = &stream[..offset as usize];
            offset + before.iter().filter(|byte| **byte == b'\n').count() as u64
        };
        expected.check("CRLF", &read(&[&crlf]), &moved);
        expected.check("CRLF byte by byte", &read(&cut::single(&crlf)), &moved);
    }
}

#[test]
fn the_protocol_is_detected_from_the_events() {
    for case in agentwire_cases::reads() {
        let stream = case.stream();
        for size in [stream.len().max(1), 1] {
            let mut detector = Detector::framed(Limits::default(), framing_of(&case));
            let told = stream.chunks(size).find_map(|chunk| detector.push(chunk));
            let told = told.or_else(|| detector.finish());
            // Only a case that declares it may leave the protocol undetected.
            let told = told
                .or((case.detected() != case.protocol).then_some(FALLBACK))
                .map(ProtocolKind::as_str);
            assert_eq!(told, Some(case.detected()), "{case}, in chunks of {size}");
        }
    }
}

#[test]
fn every_rule_has_a_case() {
    for kind in crate::spoken() {
        let cases = agentwire_cases::reads().into_iter().filter(|case| protocol_of(case) == kind);
        let broken: BTreeSet<String> = cases.flat_map(|case| broken_by(&case)).collect();
        let name = kind.as_str();
        for rule in kind.rules() {
            assert!(broken.contains(rule.id), "no case of {name} violates {}", rule.id);
        }
        for rule in &broken {
            assert!(kind.rules().iter().any(|known| known.id == rule), "{name} has no rule {rule}");
        }
    }
}

/// The rules that a case breaks, in the order in which it does.
pub fn broken_by(case: &Case) -> Vec<String> {
    let rule = |row: &Value| row.get("rule").and_then(Value::as_str).map(str::to_owned);
    rows(case).iter().map(|row| rule(row).unwrap_or_else(|| panic!("{case}: no rule"))).collect()
}

/// The expected result of reading a case.
struct Expected<'a> {
    case: &'a Case,
    snapshot: String,
    tool_calls: Option<String>,
    violations: Vec<Value>,
}

impl<'a> Expected<'a> {
    fn of(case: &'a Case) -> Self {
        bless(case);
        Expected {
            case,
            snapshot: normal(case, &case.text("snapshot.json")),
            tool_calls: case.find("tool_calls.json").map(|text| normal(case, &text)),
            violations: rows(case),
        }
    }

    /// `moved` maps an offset of the stream to the offset in the bytes that were read.
    fn check(&self, how: &str, outcome: &AnyOutcome, moved: &dyn Fn(u64) -> u64) {
        let Expected { case, snapshot, tool_calls, violations } = self;
        assert_eq!(
            &normal(case, &outcome.snapshot.to_json()),
            snapshot,
            "{case}/snapshot.json, {how}"
        );
        let said = outcome.snapshot.calls_to_json().map(|calls| normal(case, &calls));
        assert_eq!(&said, tool_calls, "{case}/tool_calls.json, {how}");
        assert_eq!(outcome.report.end_reason.as_str(), case.ended(), "{case}/case.json, {how}");
        let said: Vec<String> =
            outcome.report.violations.iter().map(|v| row(v).to_json()).collect();
        let expected: Vec<String> =
            violations.iter().map(|row| with_offset(row, moved).to_json()).collect();
        assert_eq!(said, expected, "{case}/violations.json, {how}");
    }
}

/// A violation as `violations.json` has it.
fn row(violation: &Violation) -> Value {
    Value::from([
        ("rule", violation.rule.id.into()),
        ("severity", violation.rule.severity.as_str().into()),
        ("event", (violation.at.event as i64).into()),
        ("offset", (violation.at.offset as i64).into()),
        ("messageId", violation.at.message_id.as_deref().map_or(Value::Null, Value::from)),
        ("index", violation.at.index.map_or(Value::Null, |index| i64::from(index).into())),
        ("recovery", violation.rule.recovery.into()),
    ])
}

fn with_offset(row: &Value, moved: &dyn Fn(u64) -> u64) -> Value {
    let mut row = row.clone();
    let Some(Value::Number(offset)) = row.get("offset") else {
        panic!("no offset: {}", row.to_json())
    };
    let offset = moved(offset.parse().expect("a whole number"));
    row.insert("offset", (offset as i64).into());
    row
}

fn rows(case: &Case) -> Vec<Value> {
    match Value::parse(&case.text("violations.json"), 8) {
        Ok(Value::Array(rows)) => rows,
        other => panic!("{case}/violations.json: {other:?}"),
    }
}

/// The same JSON in the one way in which values are written.
fn normal(case: &Case, text: &str) -> String {
    Value::parse(text, 128).unwrap_or_else(|error| panic!("{case}: {error:?}")).to_json()
}

/// With `BLESS=1`, writes the severity and recovery of the rules into the rows of a case. It never
/// writes which rules the stream violates, or where.
fn bless(case: &Case) {
    if std::env::var_os("BLESS").is_none() {
        return;
    }
    let rules = protocol_of(case).rules();
    let mut out = String::from("[");
    for (number, mut row) in rows(case).into_iter().enumerate() {
        let rule =
            rules.iter().find(|rule| row.get("rule").and_then(Value::as_str) == Some(rule.id));
        let rule = rule.unwrap_or_else(|| panic!("{case}: no rule {}", row.to_json()));
        row.insert("severity", rule.severity.as_str().into());
        row.insert("recovery", rule.recovery.into());
        let Value::Object(members) = row else { panic!("{case}: no object") };
        out += if number > 0 { ",\n {" } else { "\n {" };
        for (number, member) in members.iter().enumerate() {
            out += if number > 0 { ",\n  " } else { "\n  " };
            out += &format!("\"{}\": {}", member.key, member.value.to_json());
        }
        out += "\n }";
    }
    out += if out == "[" { "]\n" } else { "\n]\n" };
    std::fs::write(case.path("violations.json"), out).expect("a writable case");
}
