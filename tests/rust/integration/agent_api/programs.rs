//! Random programs of the official builder: `tests/data/corpus/agent-api/build_random_programs`,
//! which `tests/data/builder_programs` generates.
//!
//! With `AGENTWIRE_PROGRAMS` set to the path of another `programs.jsonl.gz`, that one is read
//! instead.

use std::collections::BTreeMap;
use std::io::Read;

use agentwire::agent_api::Snapshot;
use agentwire::json::Value;
use agentwire::{Outcome, Severity};
use agentwire_cases::cut;

use super::server::{answer, read};

const COMMITTED: &str = "tests/data/corpus/agent-api/build_random_programs/programs.jsonl.gz";
const EXCEPTIONS: &str = include_str!("../../../data/builder_programs/exceptions.json");

#[test]
fn events_of_the_official_builder_yield_the_snapshot_of_its_objects() {
    let other = std::env::var("AGENTWIRE_PROGRAMS").ok();
    let text = decompressed(other.as_deref().unwrap_or(COMMITTED));
    let mut table = Table::new();
    let mut wrong = Vec::new();
    let mut programs = 0;
    for line in text.lines() {
        programs += 1;
        let program = Value::parse(line, 128).unwrap();
        if let Err(what) = check(&program, &mut table) {
            wrong.push(format!("program {}, {what}", program.get("program").unwrap().to_json()));
        }
    }
    assert!(wrong.is_empty(), "{} of {programs} programs:\n{}", wrong.len(), wrong.join("\n"));
    if other.is_none() {
        assert_eq!(programs, 500);
        table.assert_all_needed();
    }
}

fn check(program: &Value, table: &mut Table) -> Result<(), String> {
    let stream = program.get("stream").and_then(Value::as_str).unwrap().as_bytes();
    let expected = expected(program, table)?;
    let errors = program.get("errors").unwrap().to_json();
    let whole = read([stream]);
    table.reported(&whole)?;
    let check = |how: &str, outcome: &Outcome<Snapshot>| {
        let answer = answer(outcome);
        if !same(&answer, &expected) {
            return Err(format!("{how}: {}\ninstead of\n{}", answer.to_json(), expected.to_json()));
        }
        let found = errors_of(outcome).to_json();
        if found != errors {
            return Err(format!("{how}: errors {found} instead of {errors}"));
        }
        if places(outcome) != places(&whole) {
            return Err(format!("{how}: {:?} instead of {:?}", places(outcome), places(&whole)));
        }
        Ok(())
    };
    check("whole", &whole)?;
    check("byte by byte", &read(stream.chunks(1)))?;
    for seed in 0..3 {
        check("random cuts", &read(cut::random(stream, seed)))?;
    }
    let crlf = cut::crlf(stream);
    check("CRLF", &read([crlf.as_slice()]))?;
    check("CRLF byte by byte", &read(crlf.chunks(1)))
}

/// Returns the objects of the builder, with the values of a reader where they differ.
fn expected(program: &Value, table: &mut Table) -> Result<Value, String> {
    let mut expected = program.get("held").unwrap().clone();
    for departure in items(program.get("departs").unwrap()) {
        let at = departure.get("at").and_then(Value::as_str).unwrap();
        let place = place(&mut expected, at).ok_or_else(|| format!("no {at}"))?;
        let reads = departure.get("reads").unwrap();
        if same(place, reads) {
            return Err(format!("{at} does not depart"));
        }
        *place = reads.clone();
        table.departs(departure.get("why").and_then(Value::as_str).unwrap());
    }
    Ok(expected)
}

/// Rule, event, message and index of every violation: all but the offset, which a CR moves.
fn places(outcome: &Outcome<Snapshot>) -> Vec<(&str, u64, Option<&str>, Option<u32>)> {
    let told = outcome.report.violations.iter();
    told.map(|v| (v.rule.id, v.at.event, v.at.message_id.as_deref(), v.at.index)).collect()
}

fn errors_of(outcome: &Outcome<Snapshot>) -> Value {
    let errors = outcome.report.violations.iter().filter(|v| v.rule.severity == Severity::Error);
    Value::Array(
        errors
            .map(|v| {
                Value::Array(vec![
                    v.rule.id.into(),
                    v.at.message_id.as_deref().map_or(Value::Null, Value::from),
                    v.at.index.map_or(Value::Null, |index| i64::from(index).into()),
                ])
            })
            .collect(),
    )
}

/// Returns whether two values are the same JSON: members in any order, integers with the same
/// digits, and floats with the same value in any spelling.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) if is_float(a) && is_float(b) => {
            a.parse::<f64>() == b.parse::<f64>()
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(members), Value::Object(others)) => {
            members.len() == others.len()
                && members.iter().all(|m| b.get(&m.key).is_some_and(|other| same(&m.value, other)))
        }
        (a, b) => a == b,
    }
}

fn is_float(digits: &str) -> bool {
    digits.contains(['.', 'e', 'E'])
}

/// The value at a path of member names and positions.
fn place<'a>(value: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    path.split('/').skip(1).try_fold(value, |value, step| match value {
        Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        Value::Object(members) => members.iter_mut().find(|m| m.key == step).map(|m| &mut m.value),
        _ => None,
    })
}

fn decompressed(path: &str) -> String {
    let file =
        std::fs::File::open(agentwire_cases::path(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

fn items(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        _ => panic!("not a list: {}", value.to_json()),
    }
}

/// `tests/data/builder_programs/exceptions.json`, with how often each entry was needed.
struct Table {
    departs: BTreeMap<String, usize>,
    violations: BTreeMap<String, usize>,
}

impl Table {
    fn new() -> Self {
        let file = Value::parse(EXCEPTIONS, 8).unwrap();
        let keys = |name: &str| match file.get(name) {
            Some(Value::Object(members)) => members.iter().map(|m| (m.key.clone(), 0)).collect(),
            _ => panic!("no {name}"),
        };
        Table { departs: keys("departs"), violations: keys("violations") }
    }

    fn departs(&mut self, why: &str) {
        *self.departs.get_mut(why).unwrap_or_else(|| panic!("no reason {why}")) += 1;
    }

    /// Counts the violations that are not errors, which must be in the table. Errors are compared
    /// one by one.
    fn reported(&mut self, outcome: &Outcome<Snapshot>) -> Result<(), String> {
        for violation in
            outcome.report.violations.iter().filter(|v| v.rule.severity != Severity::Error)
        {
            match self.violations.get_mut(violation.rule.id) {
                Some(count) => *count += 1,
                None => return Err(format!("{violation:?}")),
            }
        }
        Ok(())
    }

    fn assert_all_needed(&self) {
        for (entry, count) in self.departs.iter().chain(&self.violations) {
            assert!(*count > 0, "an exception that no program needs: {entry}");
        }
    }
}
