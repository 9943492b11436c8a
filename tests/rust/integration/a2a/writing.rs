//! The order of what A2A sends whole.

use agentwire::ProtocolKind;
use agentwire::convert::ConversionSide;

use crate::adapt::steps::convert;

#[test]
fn a_call_that_has_not_ended_comes_before_its_result() {
    let steps = [
        r#"{"type":"start","id":"r","sessionId":"s"}"#,
        r#"{"type":"open","message":0,"messageType":"function_call","role":"assistant","id":"m0"}"#,
        r#"{"type":"call","message":0,"part":0,"id":"c","name":"f"}"#,
        r#"{"type":"arguments","message":0,"part":0,"piece":"{\"a\":"}"#,
        r#"{"type":"open","message":1,"messageType":"function_call_output","role":"tool","id":"m1"}"#,
        r#"{"type":"result","message":1,"part":0,"id":"c","name":"f","output":"found"}"#,
        r#"{"type":"close","message":1,"status":"completed"}"#,
        r#"{"type":"close","message":0,"status":"completed"}"#,
        r#"{"type":"end","status":"completed"}"#,
    ]
    .join("\n");
    let (out, _) = convert(ConversionSide::Steps, ProtocolKind::A2a.into(), [steps.as_bytes()]);
    let place = |text| out.find(text).unwrap_or_else(|| panic!("{text} in {out}"));
    let call = place(r#""arguments":"{\"a\":""#);
    assert!(call < place(r#""incomplete":true"#) && call < place(r#""output":"found""#), "{out}");
}
