// The recorded streams that the playground offers, from tests/corpus.
export const samples = [
  ...group("Agent API", "agent-api", {
    "61_agentscope_thinking_text_tool": "Thinking, a tool, text: a real server",
    "14_mcp_list_approval_call_output": "MCP: list, approval, call, output",
    "12_plugin_call_two_calls": "Two tool calls in one message",
    "34_unicode": "Unicode: halves of emoji, BOM, U+2028",
    "06_multi_content_text_image": "Text and an image",
    "41_heartbeat": "Heartbeats",
    "20_failed_mid_stream_unknown_error": "Fails in the middle",
    "71_interrupted_by_stop_chat": "Cut off by the server",
    sequence_gap_and_repeat: "Numbers with a gap and a repeat",
    surrogates_split_and_lone: "Surrogates, split and alone",
    malformed_events: "Events that are no events",
    seed_000_example_1: "The documentation's own example",
  }),
  ...group("AG-Kit", "ag-kit", {
    k01_basic_text: "Text: a real server",
    k03_client_tool_call: "A tool for the client to call",
    k04_client_tool_result_followup: "What follows the client's answer",
    server_tool: "A tool that the server calls",
    interrupt: "An interrupt with a question",
    resumed: "What follows the answer to it",
    parallel_calls: "Two calls at once",
    k02_text_content_rawevent: "Line breaks and quotes",
    k07_tool_start_with_initial_args: "Arguments with the start of a call",
    k11_empty_run_only_done: "Nothing but the end",
    k12_dropped_events: "What the server let through of a run",
    k16_openai_route_streams_agkit_events: "From the route for OpenAI's clients",
    k10_agent_exception_midstream: "The agent throws: no end marker",
    k13_create_agent_failure: "The agent cannot be created",
    h06_args_before_start: "Arguments before their call",
    cut_off_in_a_call: "Cut off in a tool call",
    arguments_not_json: "Arguments that are no JSON",
    args_after_end: "Arguments after the end of their call",
    a02_tool_with_result: "AG-UI on the same path",
  }),
];

/** The samples of a protocol: titles by folder. */
function group(name, corpus, titles) {
  return Object.entries(titles).map(([folder, title]) => ({ group: name, title, file: `${folder}.sse`, path: `${corpus}/${folder}` }));
}
