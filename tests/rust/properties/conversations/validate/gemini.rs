//! The API of Gemini. The words are those of generativelanguage.googleapis.com:
//! github.com/google-gemini/gemini-cli/issues/5443 (numbers of parts),
//! github.com/langgenius/dify-official-plugins/issues/2088 (signatures).

use std::collections::BTreeSet;

use serde_json::Value;

use super::members::{members, one_of, within};
use super::{Server, Verdict, is_base64, list, refuse, text};

// The members of https://ai.google.dev/api/generate-content and https://ai.google.dev/api/caching.
const REQUEST: &str =
    "contents!items tools:list toolConfig:object safetySettings:list systemInstruction:object
    generationConfig:object cachedContent:string store:bool serviceTier:string model:string";
const CONFIG: &str = "stopSequences:list responseMimeType:string responseSchema:object responseJsonSchema:any
    _responseJsonSchema:any responseModalities:list candidateCount:int maxOutputTokens:int temperature:number topP:number topK:int
    seed:int presencePenalty:number frequencyPenalty:number responseLogprobs:bool logprobs:int enableEnhancedCivicAnswers:bool
    speechConfig:object thinkingConfig:object imageConfig:object mediaResolution:string";
const PART: &str = "text:string thought:bool thoughtSignature:text inlineData:object fileData:object functionCall:object
    functionResponse:object executableCode:object codeExecutionResult:object videoMetadata:object audioTranscription:object mediaResolution:object
    partMetadata:object toolCall:object toolResponse:object";
/// The members of a part of which each has one.
const DATA: &[&str] = &[
    "text",
    "audioTranscription",
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
];
const FUNCTION: &str = "name!text description:string behavior:string parameters:object parametersJsonSchema:object response:object responseJsonSchema:any";
const TOOL: &str = "functionDeclarations:list googleSearch:object codeExecution:object urlContext:object googleSearchRetrieval:object
    computerUse:object fileSearch:object googleMaps:object mcpServers:list";

/// The values that Google documents for histories of other models.
/// <https://ai.google.dev/gemini-api/docs/thought-signatures>, "FAQs".
const PLACEHOLDERS: &[&str] =
    &["context_engineering_is_the_way_to_go", "skip_thought_signature_validator"];

/// Whether a value is a signature of the model, or a placeholder.
pub fn is_signature(value: Option<&Value>, server: &Server<'_>) -> bool {
    let is_placeholder =
        value.and_then(Value::as_str).is_some_and(|text| PLACEHOLDERS.contains(&text));
    is_placeholder || server.has(value)
}

pub fn rules(body: &Value, server: &Server<'_>) -> Verdict {
    members(body, REQUEST, "body")?;
    one_of(body, "serviceTier", &["flex", "standard", "priority"], "body")?;
    config(body, server)?;
    let functions = tools(body, server)?;
    choice(body, &functions)?;
    if let Some(instruction) = body.get("systemInstruction") {
        members(instruction, "role:string parts!items", "systemInstruction")?;
        for part in list(instruction, "parts") {
            members(part, "text!text", "systemInstruction.parts")?;
        }
    }
    let contents = list(body, "contents");
    for (at, content) in contents.iter().enumerate() {
        let path = format!("contents[{at}]");
        members(content, "role:string parts!items", &path)?;
        let role = text(content, "role");
        refuse!(
            !matches!(role, "" | "user" | "model" | "function"),
            "{path}: Please use a valid role: user, model. {role}"
        );
        for (place, part) in list(content, "parts").iter().enumerate() {
            part_rules(part, role == "model", &format!("{path}.parts[{place}]"), server)?;
        }
        pairs(at, contents)?;
    }
    let first = text(&contents[0], "role");
    refuse!(first == "model", "Please ensure that multiturn requests start with a user turn");
    signatures(contents, server)
}

fn config(body: &Value, server: &Server<'_>) -> Verdict {
    let Some(config) = body.get("generationConfig") else { return Ok(()) };
    members(config, CONFIG, "generationConfig")?;
    within(config, "temperature", 0.0, 2.0, "generationConfig")?;
    within(config, "topP", 0.0, 1.0, "generationConfig")?;
    within(config, "candidateCount", 1.0, 8.0, "generationConfig")?;
    within(config, "maxOutputTokens", 1.0, f64::MAX, "generationConfig")?;
    within(config, "presencePenalty", -2.0, 2.0, "generationConfig")?;
    within(config, "frequencyPenalty", -2.0, 2.0, "generationConfig")?;
    within(config, "seed", f64::from(i32::MIN), f64::from(i32::MAX), "generationConfig")?;
    refuse!(
        list(config, "stopSequences").len() > 5,
        "The number of stop sequences must be between 0 and 5: {config}"
    );
    let schemas = ["responseSchema", "responseJsonSchema", "_responseJsonSchema"];
    let count = schemas.iter().filter(|name| config.get(name).is_some()).count();
    refuse!(count > 1, "Only one of {schemas:?} can be set");
    let kind = text(config, "responseMimeType");
    refuse!(
        count == 1 && kind != "application/json",
        "response_schema requires the response_mime_type application/json: {kind}"
    );
    refuse!(
        !matches!(kind, "" | "text/plain" | "application/json" | "text/x.enum"),
        "responseMimeType: {kind}"
    );
    let Some(thinking) = config.get("thinkingConfig") else { return Ok(()) };
    members(
        thinking,
        "includeThoughts:bool thinkingBudget:int thinkingLevel:string",
        "thinkingConfig",
    )?;
    one_of(
        thinking,
        "thinkingLevel",
        &["minimal", "low", "medium", "high", "MINIMAL", "LOW", "MEDIUM", "HIGH"],
        "thinkingConfig",
    )?;
    within(thinking, "thinkingBudget", -1.0, 32_768.0, "thinkingConfig")?;
    let [budget, level] =
        ["thinkingBudget", "thinkingLevel"].map(|name| thinking.get(name).is_some());
    refuse!(budget && level, "You can only set only one of thinking budget and thinking level.");
    let is_old = server.model.starts_with("gemini-2");
    refuse!(level && is_old, "Thinking level is not supported for this model.");
    within(
        thinking,
        "thinkingBudget",
        -1.0,
        if is_old { 24_576.0 } else { 32_768.0 },
        "thinkingConfig",
    )
}

/// Returns the names of the functions.
fn tools<'v>(body: &'v Value, server: &Server<'_>) -> Result<BTreeSet<&'v str>, String> {
    let mut names = BTreeSet::new();
    let mut others = 0;
    for (at, tool) in list(body, "tools").iter().enumerate() {
        members(tool, TOOL, &format!("tools[{at}]"))?;
        let given = tool.as_object().map_or(0, serde_json::Map::len);
        others += given - usize::from(tool.get("functionDeclarations").is_some());
        for (place, function) in list(tool, "functionDeclarations").iter().enumerate() {
            let path = format!("tools[{at}].function_declarations[{place}]");
            members(function, FUNCTION, &path)?;
            let name = text(function, "name");
            refuse!(
                !is_function_name(name),
                "GenerateContentRequest.{path}.name: Invalid function name: {name}"
            );
            refuse!(!names.insert(name), "Duplicate function declaration found: {name}");
            let both = ["parameters", "parametersJsonSchema"]
                .iter()
                .all(|key| function.get(key).is_some());
            refuse!(both, "{path}: parameters and parameters_json_schema are both set");
            let schema = function.get("parameters").map(Value::to_string).unwrap_or_default();
            // `parameters` is a subset of OpenAPI's schema:
            // https://ai.google.dev/api/caching#Schema.
            let is_other = schema.contains("additionalProperties");
            refuse!(
                is_other,
                "Unknown name \"additionalProperties\" at '{path}.parameters': Cannot find field."
            );
        }
    }
    // github.com/google/adk-python/issues/53
    let is_mixed = server.model.starts_with("gemini-2") && others > 0 && !names.is_empty();
    refuse!(is_mixed, "Tool use with function calling is unsupported");
    Ok(names)
}

pub fn is_function_name(name: &str) -> bool {
    let mut letters = name.chars();
    let begins = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '_');
    begins
        && name.len() <= 64
        && letters
            .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | ':' | '-'))
}

fn choice(body: &Value, names: &BTreeSet<&str>) -> Verdict {
    let Some(config) = body.get("toolConfig") else { return Ok(()) };
    members(
        config,
        "functionCallingConfig:object retrievalConfig:object includeServerSideToolInvocations:bool",
        "toolConfig",
    )?;
    let Some(calling) = config.get("functionCallingConfig") else { return Ok(()) };
    members(
        calling,
        "mode:string allowedFunctionNames:list streamFunctionCallArguments:bool",
        "functionCallingConfig",
    )?;
    one_of(calling, "mode", &["AUTO", "ANY", "NONE", "VALIDATED"], "functionCallingConfig")?;
    let mode = text(calling, "mode");
    refuse!(
        mode == "ANY" && names.is_empty(),
        "Function calling config is set without function_declarations."
    );
    let allowed = list(calling, "allowedFunctionNames");
    let is_forced = matches!(mode, "ANY" | "VALIDATED");
    refuse!(
        !allowed.is_empty() && !is_forced,
        "Allowed function names should be set only when function calling mode is ANY."
    );
    let other = allowed.iter().find(|name| !name.as_str().is_some_and(|name| names.contains(name)));
    refuse!(
        other.is_some(),
        "Allowed function name {other:?} is not in function_declarations: {names:?}"
    );
    Ok(())
}

fn part_rules(part: &Value, is_model: bool, path: &str, server: &Server<'_>) -> Verdict {
    members(part, PART, path)?;
    let given: Vec<_> = DATA.iter().filter(|name| part.get(name).is_some()).collect();
    refuse!(
        given.len() > 1,
        "Invalid value at '{path}': oneof field 'data' is already set: {given:?}"
    );
    let only_signature = is_model && part.get("thoughtSignature").is_some();
    refuse!(
        given.is_empty() && !only_signature,
        "{path}.data: required oneof field 'data' must have one initialized field"
    );
    let is_blank = part.get("text").is_some_and(|said| said.as_str().is_some_and(str::is_empty))
        && !only_signature;
    refuse!(
        is_blank,
        "Unable to submit request because it must have a text parameter: {path}: {part}"
    );
    let signature = part.get("thoughtSignature");
    refuse!(
        signature.is_some() && !is_signature(signature, server),
        "{path}: Corrupted thought signature: {part}"
    );
    if let Some(inline) = part.get("inlineData") {
        members(inline, "mimeType!text data!text displayName:string", path)?;
        refuse!(
            !is_base64(text(inline, "data")),
            "{path}.inline_data.data: Base64 decoding failed: {inline}"
        );
        refuse!(!text(inline, "mimeType").contains('/'), "{path}.inline_data.mime_type: {inline}");
    }
    if let Some(file) = part.get("fileData") {
        members(file, "mimeType:text fileUri!text displayName:string", path)?;
        let is_uri = ["https://", "http://", "gs://"]
            .iter()
            .any(|scheme| text(file, "fileUri").starts_with(scheme));
        refuse!(!is_uri, "{path}.file_data.file_uri: Invalid or unsupported file uri: {file}");
    }
    if let Some(call) = part.get("functionCall") {
        members(call, "id:text name!text args:object", path)?;
        refuse!(
            !is_function_name(text(call, "name")),
            "{path}.function_call.name: Invalid function name: {call}"
        );
        refuse!(!is_model, "{path}: Function call should not be in a user turn");
    }
    if let Some(result) = part.get("functionResponse") {
        let table =
            "id:text name!text response!object parts:items willContinue:bool scheduling:string";
        members(result, table, path)?;
        refuse!(is_model, "{path}: Function response should not be in a model turn");
        let has_media = result.get("parts").is_some();
        refuse!(
            has_media && server.model.starts_with("gemini-2"),
            "Multimodal function response is not supported for this model."
        );
        for part in list(result, "parts") {
            members(part, "inlineData:object fileData:object", path)?;
        }
    }
    Ok(())
}

/// A turn with calls follows one of the user, and the next turn has as many results, with the same
/// names.
fn pairs(at: usize, contents: &[Value]) -> Verdict {
    let names = |at: Option<usize>, member: &str| {
        let parts =
            at.and_then(|at| contents.get(at)).map_or(&[][..], |content| list(content, "parts"));
        let mut names: Vec<&str> = parts
            .iter()
            .filter_map(|part| part.get(member))
            .map(|call| text(call, "name"))
            .collect();
        names.sort_unstable();
        names
    };
    let (calls, results) = (names(Some(at), "functionCall"), names(Some(at), "functionResponse"));
    if !calls.is_empty() {
        let is_after_user =
            at.checked_sub(1).is_some_and(|before| text(&contents[before], "role") != "model");
        refuse!(
            !is_after_user,
            "contents[{at}]: Please ensure that function call turn comes immediately after a user turn"
        );
        let next = names(Some(at + 1), "functionResponse");
        let is_last = at + 1 == contents.len();
        refuse!(
            !is_last && next != calls,
            "contents[{at}]: Please ensure that the number of function response parts is equal to the number of function call \
             parts of the function call turn: {calls:?} {next:?}"
        );
        refuse!(is_last, "contents[{at}]: the calls of the last turn have no results: {calls:?}");
    }
    if !results.is_empty() {
        let asked = names(at.checked_sub(1), "functionCall");
        let place = "Please ensure that function response turn comes immediately after a function call turn";
        refuse!(asked != results, "contents[{at}]: {place}: {asked:?} {results:?}");
    }
    Ok(())
}

/// The first call of each step of the current turn has a signature.
fn signatures(contents: &[Value], server: &Server<'_>) -> Verdict {
    if server.model.starts_with("gemini-2") {
        return Ok(());
    }
    let is_question = |content: &Value| {
        text(content, "role") != "model"
            && list(content, "parts").iter().any(|part| part.get("functionResponse").is_none())
    };
    let question = contents.iter().rposition(is_question).unwrap_or(0);
    for (at, content) in contents.iter().enumerate().skip(question) {
        let Some(call) =
            list(content, "parts").iter().find(|part| part.get("functionCall").is_some())
        else {
            continue;
        };
        let is_signed = is_signature(call.get("thoughtSignature"), server);
        refuse!(
            !is_signed,
            "contents[{at}]: Function call is missing a thought_signature in functionCall parts: {call}"
        );
    }
    Ok(())
}
