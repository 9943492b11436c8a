// The recorded streams that the playground offers, from tests/corpus/agent_api.
export const samples = [
  { folder: "61_agentscope_thinking_text_tool", title: "Thinking, a tool, text: a real server" },
  { folder: "14_mcp_list_approval_call_output", title: "MCP: list, approval, call, output" },
  { folder: "12_plugin_call_two_calls", title: "Two tool calls in one message" },
  { folder: "34_unicode", title: "Unicode: halves of emoji, BOM, U+2028" },
  { folder: "06_multi_content_text_image", title: "Text and an image" },
  { folder: "41_heartbeat", title: "Heartbeats" },
  { folder: "20_failed_mid_stream_unknown_error", title: "Fails in the middle" },
  { folder: "71_interrupted_by_stop_chat", title: "Cut off by the server" },
  { folder: "sequence_gap_and_repeat", title: "Numbers with a gap and a repeat" },
  { folder: "surrogates_split_and_lone", title: "Surrogates, split and alone" },
  { folder: "malformed_events", title: "Events that are no events" },
  { folder: "seed_000_example_1", title: "The documentation's own example" },
];
