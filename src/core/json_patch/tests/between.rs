//! The patch between two documents.

use super::*;

/// Returns random JSON, with parts of the previous value.
fn changed(from: Option<&Value>, depth: u32, random: &mut impl FnMut(u64) -> u64) -> Value {
    let fresh = |random: &mut dyn FnMut(u64) -> u64| match random(5) {
        0 => Value::Null,
        1 => Value::from(random(3) as i64),
        2 => Value::from(
            ["", "a", "long text that is worth a patch", "~/\u{e9}"][random(4) as usize],
        ),
        3 => Value::Array(Vec::new()),
        _ => Value::Object(Vec::new()),
    };
    match (from, random(8)) {
        (_, 0) | (None, _) if depth == 0 => fresh(random),
        (Some(Value::Array(items)), _) => {
            let mut new: Vec<Value> = Vec::new();
            for item in items {
                match random(8) {
                    0 => {}
                    1 => new.push(changed(Some(item), depth.saturating_sub(1), random)),
                    2 => new.extend([item.clone(), fresh(random)]),
                    _ => new.push(item.clone()),
                }
            }
            (0..random(3)).for_each(|_| new.push(changed(None, depth.saturating_sub(1), random)));
            Value::Array(new)
        }
        (Some(Value::Object(members)), _) => {
            let mut new = Value::Object(Vec::new());
            for Member { key, value } in members {
                if random(8) == 0 {
                    continue;
                }
                let value = if random(4) > 0 {
                    value.clone()
                } else {
                    changed(Some(value), depth.saturating_sub(1), random)
                };
                new.insert(key, value);
            }
            for _ in 0..random(3) {
                let name = ["a", "b", "a/b", "~1", "", "long name"][random(6) as usize];
                new.insert(name, changed(None, depth.saturating_sub(1), random));
            }
            new
        }
        (None, kind) => {
            let start =
                if kind % 2 == 0 { Value::Array(Vec::new()) } else { Value::Object(Vec::new()) };
            changed(Some(&start), depth, random)
        }
        (Some(scalar), kind) => {
            if kind < 5 {
                fresh(random)
            } else {
                scalar.clone()
            }
        }
    }
}

#[test]
fn a_generated_patch_transforms_the_first_document_into_the_second() {
    let mut seed = 7_u64;
    let mut random = move |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    let (mut patches, mut short) = (0, 0);
    for _ in 0..3_000 {
        let from = changed(None, 4, &mut random);
        let to = changed(Some(&from), 4, &mut random);
        let (from, to) = (from.to_json(), to.to_json());
        let mut document = tree(&from);
        let target = Tree::from_raw(Raw(&to));
        let shorter = document.patch_to(&target);
        assert!(
            shorter.as_ref().is_none_or(|patch| patch == "[]" || patch.len() < to.len() + 2),
            "{from} {to}"
        );
        let Some(patch) = crate::core::json_patch::diff::diff(&document, &target) else { continue };
        assert!(shorter.is_none_or(|shorter| shorter == patch), "{from} {to} {patch}");
        assert_eq!(patch == "[]", document == target, "{from} {to} {patch}");
        apply(&mut document, &patch, &Limits::default()).expect("it applies");
        assert_eq!(document, target, "{from} {to} {patch}");
        patches += 1;
        short += usize::from(patch.len() * 2 < to.len());
    }
    assert!(patches > 1_000 && short > 200, "{patches} {short}");
}

#[test]
fn generated_patches_are_small() {
    for (from, to, patch) in [
        (r#"{"a":[1,2,3,4,5]}"#, r#"{"a":[0,1,2,3,4,5]}"#, None),
        (
            r#"{"list":["one thing","another thing","a third thing","the last of all"]}"#,
            r#"{"list":["another thing","a third thing","a new thing","the last of all"]}"#,
            None,
        ),
        (
            r#"{"list":["one thing","another thing","a third thing","the last of all the things"]}"#,
            r#"{"list":["another thing","a third thing","the last of all the things"]}"#,
            Some(r#"[{"op":"remove","path":"/list/0"}]"#),
        ),
        (
            r#"{"tasks":[{"name":"search the web","done":false},{"name":"write it down","done":false}]}"#,
            r#"{"tasks":[{"name":"search the web","done":true},{"name":"write it down","done":false}]}"#,
            Some(r#"[{"op":"replace","path":"/tasks/0/done","value":true}]"#),
        ),
        (
            r#"{"__proto__":"a name that readers refuse to patch","b":1}"#,
            r#"{"__proto__":"changed","b":1}"#,
            None,
        ),
    ] {
        assert_eq!(tree(from).patch_to(&Tree::from_raw(Raw(to))).as_deref(), patch, "{from} {to}");
    }
}

#[test]
fn no_patch_is_generated_for_long_unrelated_lists() {
    let list = |from: usize| {
        let items: Vec<String> =
            (from..from + 5_000).map(|number| format!("{{\"number\":{number}}}")).collect();
        format!("[{}]", items.join(","))
    };
    let document = tree(&list(0));
    assert_eq!(document.patch_to(&Tree::from_raw(Raw(&list(7_000_000)))), None);
}
