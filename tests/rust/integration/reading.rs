//! Reading a stream of any protocol, natively.

use agentwire::AnyReader;
use agentwire::ProtocolKind;
use agentwire::a2a::Dialect;
use agentwire::json::Value;
use agentwire::read::AnyOptions;
use agentwire::read::AnyOutcome;
use agentwire::sse::Framing;
use agentwire_cases::Case;

/// The protocol of a case.
pub fn protocol_of(case: &Case) -> ProtocolKind {
    let known = ProtocolKind::READABLE.iter().find(|kind| kind.as_str() == case.protocol);
    *known.unwrap_or_else(|| panic!("{case}: no reader of {}", case.protocol))
}

/// Reads a stream that arrives in these chunks.
pub fn read<'a>(
    protocol: ProtocolKind,
    options: AnyOptions,
    chunks: impl IntoIterator<Item = &'a [u8]>,
) -> AnyOutcome {
    let mut reader = AnyReader::with_options(protocol, options);
    chunks.into_iter().for_each(|chunk| {
        reader.push(chunk);
    });
    reader.finish()
}

/// Returns the options of a case for its reader. The names are those of the package's options; each
/// is a member of its protocol's own options here, so this is the only function that depends on the
/// protocols.
pub fn options(case: &Case) -> AnyOptions {
    let mut options = AnyOptions::default();
    for (name, value) in case.options() {
        match name.as_str() {
            "doneIsOptional" => options.ag_kit.done_is_optional = value.as_bool().expect("a bool"),
            "clientTools" => {
                let names = value.as_array().expect("a list").iter();
                options.ag_kit.client_tools =
                    Some(names.map(|name| name.as_str().expect("a name").to_owned()).collect());
            }
            "messages" => options.ag_ui.messages = Some(json(&value).into()),
            "state" => options.ag_ui.state = Some(json(&value).into()),
            "requestId" => options.a2a.request_id = Some(json(&value).into()),
            "version" => {
                let is_newer = value.as_str().expect("a word") == "1.0";
                options.a2a.version = Some(if is_newer { Dialect::V1 } else { Dialect::V0_3 });
            }
            "binding" => options.a2a.is_rest = value.as_str().expect("a word") == "rest",
            "framing" => options.options.framing = framing_of(case),
            "limits" => {
                for (name, limit) in value.as_object().expect("an object") {
                    match name.as_str() {
                        "contentBytes" => {
                            options.options.limits.content_bytes =
                                limit.as_u64().expect("a number");
                        }
                        _ => panic!("{case}: no limit {name}"),
                    }
                }
            }
            _ => panic!("{case}: no option {name}"),
        }
    }
    options
}

/// The framing of the stream of a case.
pub fn framing_of(case: &Case) -> Framing {
    let framing = if case.is_binary() { Framing::LengthPrefixed } else { Framing::Sse };
    let said = case.options().get("framing").cloned();
    assert_eq!(said, case.is_binary().then(|| "length-prefixed".into()), "{case}");
    framing
}

fn json(value: &serde_json::Value) -> Value {
    Value::parse(&value.to_string(), 128).expect("JSON")
}
