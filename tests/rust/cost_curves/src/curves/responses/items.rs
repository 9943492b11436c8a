//! The items of the output, and responses that list them.

use super::{CREATED, ITEM};
use crate::curves::Curve;

/// A message as an item, of that number.
const MESSAGE: &str =
    r#"{"id":"m$i","type":"message","status":"in_progress","role":"assistant","content":[]}"#;

pub const CURVES: &[Curve] = &[
    ("items from the last", |s, n| {
        s.event(CREATED).each(n, [&at("$back", "m$i")]);
    }),
    ("items of one number", |s, n| {
        s.event(CREATED).each(n, [&at("0", "m$i")]);
    }),
    ("items of one id", |s, n| {
        s.event(CREATED).each(n, [&at("$i", "m")]);
    }),
    ("items of huge numbers", |s, n| {
        s.event(CREATED).each(n, [&at("$mixed000000000", "m$i")]);
    }),
    ("items without a number", |s, n| {
        s.event(CREATED).each(n, [&ITEM.replace(r#""output_index":$i,"#, "")]);
    }),
    ("items that end from the last and were never added", |s, n| {
        s.event(CREATED).each(n, [&at("$back", "m$i").replace(".added", ".done")]);
    }),
    ("items that change their type", |s, n| {
        let done = |kind| {
            format!(
                r#"{{"type":"response.output_item.done","output_index":0,"item":{{"id":"m0","type":"{kind}"}}}}"#
            )
        };
        s.event(CREATED).each(n, [ITEM]);
        (0..n / 2).for_each(|_| {
            s.event(&done("x")).event(&done("y"));
        });
    }),
    ("many items, then responses that list one", |s, n| {
        s.event(CREATED).each(n, [ITEM]).each(n, [&lists(&[&MESSAGE.replace("$i", "$odd")])]);
    }),
    ("many items, then responses that list two", |s, n| {
        let two = [MESSAGE.replace("$i", "$mixed"), MESSAGE.replace("$i", "$other")];
        s.event(CREATED).each(n, [ITEM]).each(n, [&lists(&[&two[0], &two[1]])]);
    }),
    ("many items, then responses without a list", |s, n| {
        let response =
            r#"{"type":"response.in_progress","response":{"id":"r","status":"in_progress"}}"#;
        s.event(CREATED).each(n, [ITEM]).times(n, response);
    }),
    ("many items, then ends without a list", |s, n| {
        let response =
            r#"{"type":"response.completed","response":{"id":"r","status":"in_progress"}}"#;
        s.event(CREATED).each(n, [ITEM]).times(n, response);
    }),
    ("events after the end", |s, n| {
        s.event(CREATED);
        s.event(r#"{"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}"#);
        s.times(n, r#"{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"a"}"#);
    }),
    ("undeclared members that come and go", |s, n| {
        let [before, after] = [
            r#"{"type":"response.output_item.added","output_index":0,"item":{"id":"m","type":"message""#,
            "}}",
        ];
        let members: String = (0..900).map(|at| format!(r#","x{at}":0"#)).collect();
        let done = before.replace(".added", ".done");
        s.event(CREATED).event(&[before, &members, after].concat());
        for at in 0..n {
            s.event(&[&done, after].concat());
            s.event(&format!(r#"{done},"x{}":0{after}"#, at % 900));
        }
    }),
    ("images that come in parts", |s, n| {
        s.event(CREATED);
        s.event(r#"{"type":"response.output_item.added","output_index":0,"item":{"id":"m","type":"image_generation_call","status":"in_progress"}}"#);
        s.times(n, &format!(r#"{{"type":"response.image_generation_call.partial_image","item_id":"m","output_index":0,"partial_image_index":0,"partial_image_b64":"{}"}}"#, "QUJD".repeat(20)));
    }),
    ("events of unknown names", |s, n| {
        s.event(CREATED).each(n, [r#"{"type":"response.x$i.y","a":1}"#]);
    }),
    ("calls, pieces in turn", |s, n| {
        s.event(CREATED);
        s.each(n, [r#"{"type":"response.output_item.added","output_index":$i,"item":{"id":"f$i","type":"function_call","call_id":"c$i","name":"f","arguments":"","status":"in_progress"}}"#]);
        s.each(n, [r#"{"type":"response.function_call_arguments.delta","item_id":"f$mixed","output_index":$mixed,"delta":"a"}"#]);
    }),
    ("requests for approval", |s, n| {
        let request = r#"{"type":"response.output_item.added","output_index":$i,"item":{"id":"f$i","type":"mcp_approval_request","name":"f","arguments":"{}","server_label":"s"}}"#;
        s.event(CREATED).each(n, [request, &request.replace(".added", ".done")]);
    }),
];

/// An item that is added under that number and id.
fn at(number: &str, id: &str) -> String {
    ITEM.replace(r#""output_index":$i"#, &format!(r#""output_index":{number}"#)).replace("m$i", id)
}

/// A response that lists these items.
fn lists(items: &[&str]) -> String {
    let list = items.join(",");
    format!(
        r#"{{"type":"response.in_progress","response":{{"id":"r","status":"in_progress","output":[{list}]}}}}"#
    )
}
