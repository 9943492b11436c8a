//! Tests patches against a model that applies RFC 6902 to a copy of the whole document, and tests
//! the cost of patches.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{PatchFailure, Tree, steps};
use crate::core::limits::{Budget, Limits};
use crate::json::{Document, Member, Raw, Value};

fn tree(document: &str) -> Tree {
    Tree::from_raw(Raw(document))
}

fn apply(document: &mut Tree, patch: &str, limits: &Limits) -> Result<(), PatchFailure> {
    let patch = Document::read(patch, 128).expect("JSON");
    let mut budget = Budget::new(limits);
    budget.refill(1 << 30);
    document.apply(patch.root(), limits, &mut budget, |_| true).map(drop)
}

/// Returns the document after a patch, or the index of the operation that cannot be done.
fn after(document: &str, patch: &str) -> Result<String, usize> {
    let mut patched = tree(document);
    let before = patched.to_json();
    let done = apply(&mut patched, patch, &Limits::default());
    match done {
        Ok(()) => Ok(patched.to_json()),
        Err(PatchFailure::Impossible(at, _)) => {
            assert_eq!(patched.to_json(), before, "nothing is changed");
            Err(at)
        }
        Err(over) => panic!("{over:?}"),
    }
}

#[test]
fn operations_follow_rfc_6902() {
    for (document, patch, expected) in [
        (r#"{}"#, r#"[{"op":"add","path":"/a","value":1}]"#, Ok(r#"{"a":1}"#)),
        (r#"{"a":[1,2]}"#, r#"[{"op":"add","path":"/a/1","value":9}]"#, Ok(r#"{"a":[1,9,2]}"#)),
        (r#"{"a":[1,2]}"#, r#"[{"op":"add","path":"/a/-","value":9}]"#, Ok(r#"{"a":[1,2,9]}"#)),
        (r#"{"a":[1,2]}"#, r#"[{"op":"add","path":"/a/2","value":9}]"#, Ok(r#"{"a":[1,2,9]}"#)),
        (r#"{"a":[1,2]}"#, r#"[{"op":"add","path":"/a/3","value":9}]"#, Err(0)),
        (r#"{"a":[1,2]}"#, r#"[{"op":"add","path":"/a/x","value":9}]"#, Err(0)),
        (r#"{}"#, r#"[{"op":"add","path":"/a/b","value":9}]"#, Err(0)),
        (r#"{"a":"text"}"#, r#"[{"op":"add","path":"/a/b","value":9}]"#, Err(0)),
        (
            r#"{"a/b":1,"m~n":2}"#,
            r#"[{"op":"remove","path":"/a~1b"},{"op":"replace","path":"/m~0n","value":3}]"#,
            Ok(r#"{"m~n":3}"#),
        ),
        (r#"{"":{"":1}}"#, r#"[{"op":"replace","path":"//","value":2}]"#, Ok(r#"{"":{"":2}}"#)),
        (r#"{"a":1}"#, r#"[{"op":"replace","path":"","value":[1]}]"#, Ok("[1]")),
        (r#"{"a":1}"#, r#"[{"op":"remove","path":""}]"#, Ok("null")),
        (r#"{"a":1}"#, r#"[{"op":"replace","path":"/b","value":1}]"#, Err(0)),
        (
            r#"{"a":1}"#,
            r#"[{"op":"add","path":"/b","value":1},{"op":"remove","path":"/c"}]"#,
            Err(1),
        ),
        (
            r#"{"a":{"b":1},"c":[0]}"#,
            r#"[{"op":"move","from":"/a/b","path":"/c/0"}]"#,
            Ok(r#"{"a":{},"c":[1,0]}"#),
        ),
        (
            r#"{"a":[1,2,3]}"#,
            r#"[{"op":"move","from":"/a/0","path":"/a/2"}]"#,
            Ok(r#"{"a":[2,3,1]}"#),
        ),
        (r#"{"a":{"b":1}}"#, r#"[{"op":"move","from":"/a","path":"/a/b"}]"#, Err(0)),
        (r#"{"a":[[0],[1]]}"#, r#"[{"op":"move","from":"/a/0","path":"/a/1/0"}]"#, Err(0)),
        (r#"{"a":{"b":1}}"#, r#"[{"op":"move","from":"/a","path":""}]"#, Ok(r#"{"b":1}"#)),
        (
            r#"{"a":{"b":1}}"#,
            r#"[{"op":"copy","from":"/a","path":"/a/c"}]"#,
            Ok(r#"{"a":{"b":1,"c":{"b":1}}}"#),
        ),
        (
            r#"{"a":{"b":1,"c":[1.0,"é"]}}"#,
            r#"[{"op":"test","path":"/a","value":{"c":[1e0,"\u00e9"],"b":1}}]"#,
            Ok(r#"{"a":{"b":1,"c":[1.0,"é"]}}"#),
        ),
        (r#"{"a":0}"#, r#"[{"op":"test","path":"/a","value":false}]"#, Err(0)),
        (r#"{}"#, r#"[{"op":"add","path":"/__proto__","value":1}]"#, Err(0)),
        (r#"{}"#, r#"[{"op":"add","path":"no pointer","value":1}]"#, Err(0)),
        ("null", r#"[{"op":"add","path":"/a","value":1}]"#, Err(0)),
    ] {
        assert_eq!(
            after(document, patch).as_deref().map_err(|at| *at),
            expected,
            "{document} {patch}"
        );
    }
}

#[test]
fn pointers_are_parsed() {
    assert_eq!(steps(""), Some(Vec::new()));
    assert_eq!(steps("/a~1b/~0"), Some(Vec::from(["a/b".into(), "~".into()])));
    assert_eq!((steps("a"), steps("/~2"), steps("/~")), (None, None, None));
}

/// Applies RFC 6902 to a copy.
fn model(document: &Value, operations: &[(u8, Vec<String>, Vec<String>, Value)]) -> Option<Value> {
    let mut copy = document.clone();
    for (kind, path, from, value) in operations {
        match kind {
            0 => put(&mut copy, path, value.clone())?,
            1 => drop(take(&mut copy, path)?),
            2 => *find(&mut copy, path)? = value.clone(),
            3 if path != from && path.starts_with(from) => return None,
            3 => {
                find(&mut copy, from)?;
                let (_, parent) = path.split_last()?;
                matches!(find(&mut copy, parent)?, Value::Array(_) | Value::Object(_))
                    .then_some(())?;
                let value = take(&mut copy, from)?;
                put(&mut copy, path, value)?;
            }
            _ => {
                let value = find(&mut copy, from)?.clone();
                put(&mut copy, path, value)?;
            }
        }
    }
    Some(copy)
}

fn find<'v>(value: &'v mut Value, path: &[String]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match value {
        Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        Value::Object(members) => {
            members.iter_mut().find(|member| member.key == *step).map(|member| &mut member.value)
        }
        _ => None,
    })
}

fn take(value: &mut Value, path: &[String]) -> Option<Value> {
    let (last, parent) = path.split_last()?;
    match find(value, parent)? {
        Value::Array(items) => {
            let at = last.parse::<usize>().ok().filter(|at| *at < items.len())?;
            Some(items.remove(at))
        }
        Value::Object(members) => {
            let at = members.iter().position(|member| member.key == *last)?;
            Some(members.remove(at).value)
        }
        _ => None,
    }
}

fn put(value: &mut Value, path: &[String], new: Value) -> Option<()> {
    let (last, parent) = path.split_last()?;
    match find(value, parent)? {
        Value::Array(items) if last == "-" => items.push(new),
        Value::Array(items) => {
            let at = last.parse::<usize>().ok().filter(|at| *at <= items.len())?;
            items.insert(at, new);
        }
        value @ Value::Object(_) => value.insert(last, new),
        _ => return None,
    }
    Some(())
}

#[test]
fn random_patches_match_the_model_and_report_each_change() {
    let mut state = 7_u64;
    let mut dice = move |sides: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % sides
    };
    let (mut applied, mut rejected) = (0, 0);
    let mut document =
        Value::parse(r#"{"a":{"b":[1,[2],{"a":3}]},"b":["x","y"]}"#, 9).expect("JSON");
    for _ in 0..4_000 {
        let mut path = |sides: u64| -> Vec<String> {
            let steps = ["a", "b", "0", "1", "2", "-"];
            (0..=dice(sides)).map(|_| steps[dice(6) as usize].into()).collect()
        };
        let mut operations = Vec::new();
        let mut json = Vec::new();
        for _ in 0..3 {
            let (path, from) = (path(3), path(3));
            let value = [r#"[0,"t"]"#, r#"{"a":{},"b":[]}"#, "1", r#""xyz""#][json.len() % 4];
            let kind = (path.len() * 2 + from.len()) as u8 % 5;
            let op = ["add", "remove", "replace", "move", "copy"][kind as usize];
            let pointer =
                |path: &[String]| path.iter().map(|step| format!("/{step}")).collect::<String>();
            json.push(format!(
                r#"{{"op":"{op}","path":"{}","from":"{}","value":{value}}}"#,
                pointer(&path),
                pointer(&from)
            ));
            operations.push((kind, path, from, Value::parse(value, 9).expect("JSON")));
        }
        let patch = format!("[{}]", json.join(","));
        let before = document.to_json();
        let mut patched = tree(&before);
        let read = Document::read(&patch, 128).expect("JSON");
        let result =
            patched.apply(read.root(), &Limits::default(), &mut Budget::default(), |_| true);
        let expected = model(&document, &operations);
        assert_eq!(result.is_ok(), expected.is_some(), "{before} {patch} {result:?}");
        assert_eq!(
            patched,
            Tree::from_raw(Raw(&expected.as_ref().unwrap_or(&document).to_json())),
            "{before} {patch}"
        );
        assert_eq!(
            patched.size(),
            Tree::from_raw(Raw(&patched.to_json())).size(),
            "{before} {patch}"
        );
        match expected {
            Some(after) => {
                applied += 1;
                document = after;
            }
            None => rejected += 1,
        }
        if document.to_json().len() > 2_000 {
            document = Value::parse(r#"{"a":{"b":[1,[2]]},"b":[]}"#, 9).expect("JSON");
        }
    }
    assert!(applied > 100 && rejected > 1_000, "{applied} applied, {rejected} refused");
}

#[test]
fn depth_and_size_of_the_document_are_limited() {
    let limits = Limits { json_depth: 16, data_nodes: 1_000, ..Limits::default() };
    let mut patched = tree(r#"{"a":{}}"#);
    // Each doubles the document.
    let double = r#"[{"op":"copy","from":"","path":"/a"}]"#;
    let rejected = (0..64).find_map(|_| apply(&mut patched, double, &limits).err());
    assert!(
        matches!(rejected, Some(PatchFailure::Over("json_depth" | "data_nodes", _))),
        "{rejected:?}"
    );
    assert!(patched.size().nodes <= 1_000);
    // Each increases the depth by one, and each is short.
    let mut patched = tree(r#"{"a":{}}"#);
    let deeper = r#"[{"op":"add","path":"/t","value":{}},{"op":"move","from":"/a","path":"/t/a"},{"op":"move","from":"/t","path":"/a"}]"#;
    let rejected = (0..64).find_map(|_| apply(&mut patched, deeper, &limits).err());
    assert_eq!(rejected, Some(PatchFailure::Over("json_depth", 16)));
    // A copy that is removed again is paid for by the bytes of patches.
    let (mut patched, mut budget) =
        (tree(&format!(r#"{{"a":"{}"}}"#, "x".repeat(90_000))), Budget::default());
    let copied = r#"[{"op":"copy","from":"/a","path":"/b"},{"op":"remove","path":"/b"}]"#;
    let copied = Document::read(copied, 8).expect("JSON");
    let mut copy = |refill: usize| {
        budget.refill(refill);
        patched.apply(copied.root(), &Limits::default(), &mut budget, |_| true).map(drop)
    };
    assert_eq!(copy(0), Err(PatchFailure::Over("growth", 64)));
    assert_eq!(
        (copy(3_000), copy(0), copy(3_000)),
        (Ok(()), Err(PatchFailure::Over("growth", 64)), Ok(()))
    );
}

#[test]
fn a_hundred_thousand_operations_take_linear_time() {
    let limits = Limits { data_nodes: 300_000, ..Limits::default() };
    let some = |count: usize, operation: &dyn Fn(usize) -> String| {
        let operations: Vec<String> = (0..count).map(operation).collect();
        format!("[{}]", operations.join(","))
    };
    let many = |operation: &dyn Fn(usize) -> String| some(100_000, operation);
    let mut patched = tree("{}");
    apply(
        &mut patched,
        &many(&|at| format!(r#"{{"op":"add","path":"/k{at}","value":{at}}}"#)),
        &limits,
    )
    .expect("wide");
    apply(
        &mut patched,
        &many(&|at| format!(r#"{{"op":"move","from":"/k{at}","path":"/m{at}"}}"#)),
        &limits,
    )
    .expect("moved");
    apply(&mut patched, &many(&|at| format!(r#"{{"op":"remove","path":"/m{at}"}}"#)), &limits)
        .expect("empty again");
    assert_eq!(patched.to_json(), "{}");
    let mut patched = tree(r#"{"l":[]}"#);
    // Each of these moves all others, so that as many as above would cost more than their length
    // allows.
    for (count, is_done) in [(20_000, true), (100_000, false)] {
        let patch = some(count, &|at| format!(r#"{{"op":"add","path":"/l/0","value":{at}}}"#));
        let mut budget = Budget::new(&limits);
        budget.refill(patch.len());
        let patch = Document::read(&patch, 8).expect("JSON");
        let done = patched.apply(patch.root(), &limits, &mut budget, |_| true);
        assert_eq!(done.ok().map(|changes| changes.len()), is_done.then_some(1));
    }
}

#[test]
fn a_replaced_text_that_is_longer_is_reported_as_an_append() {
    let mut patched = tree(r#"{"a":"Hel"}"#);
    let patch =
        Document::read(r#"[{"op":"replace","path":"/a","value":"Hello"}]"#, 8).expect("JSON");
    let result = patched
        .apply(patch.root(), &Limits::default(), &mut Budget::default(), |_| true)
        .expect("a patch");
    let grown = super::DocumentChange {
        path: Vec::from(["a".into()]),
        what: super::DocumentChangeKind::Append("lo".into()),
        shifted: 0,
    };
    assert_eq!(result, [grown]);
    let member = Member { key: "a".into(), value: "Hello".into() };
    assert_eq!(patched.to_value(), Value::Object(Vec::from([member])));
}
