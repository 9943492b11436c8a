// The pages in the order in which people read them. The sidebar, the next and previous links, and
// llms.txt are made of this list.

const page = (text, path) => ({ text, link: `/${path}` });

/**
 * Groups of the sidebar: a title, and pages below it. `api` are the pages that TypeDoc has written.
 */
export function navigation(api) {
  return [
    {
      text: "Start",
      items: [
        page("Overview", ""),
        page("Quick start", "quick-start"),
        page("Choosing an entry point", "entry-points"),
        page("Playground", "playground"),
        page("Glossary", "glossary"),
      ],
    },
    {
      text: "Guides",
      items: [
        page("Read a stream", "guides/reading"),
        page("Build a chat", "guides/chat"),
        page("Tool calls and approvals", "guides/chat#tools"),
        page("Serve an agent", "guides/servers"),
        page("Call a model", "guides/models"),
        page("Convert between protocols", "guides/converting"),
        page("From the Agent API to AgentScope 2", "guides/agentscope-2"),
        page("Resume a stream", "protocols/runs#answers-of-any-protocol"),
        page("Store conversations, answers and runs", "guides/runs"),
        page("Stores", "guides/stores"),
        page("Run the gateway", "guides/gateway"),
        page("Put any model or agent behind any client", "guides/any-client"),
        page("Validate streams", "guides/validating"),
        page("Probe a server", "guides/probing"),
        page("Add your own protocol", "guides/converting#a-protocol-of-your-own"),
        page("Use from Rust", "guides/rust"),
      ],
    },
    {
      text: "Protocols",
      items: [
        page("OpenAI Responses", "protocols/responses"),
        page("AG-UI", "protocols/ag-ui"),
        page("A2A", "protocols/a2a"),
        page("Agent API", "protocols/agent-api"),
        page("AgentScope 2", "protocols/agentscope"),
        page("AG-Kit", "protocols/ag-kit"),
        page("AI SDK", "protocols/ai-sdk"),
        page("OpenAI Chat Completions", "protocols/chat"),
        page("Anthropic Messages", "protocols/anthropic"),
        page("Gemini", "protocols/gemini"),
        page("Gemini Interactions", "protocols/interactions"),
        page("Runs endpoints", "protocols/runs"),
      ],
    },
    {
      text: "Reference",
      items: [
        // Without a link of its own, an entry that folds is a button with a button in it.
        { text: "TypeScript API", link: "/reference/api/", collapsed: true, items: api },
        { text: "Rust API", link: "/rust/agentwire/index.html", target: "_self" },
        page("Command line", "reference/cli"),
        page("Options and limits", "reference/options"),
        page("Error codes", "reference/errors"),
        page("Violations", "reference/rules"),
        page("Losses", "reference/losses"),
        {
          text: "Conversion steps",
          link: "/reference/hub",
          collapsed: true,
          items: [
            page("OpenAI Responses", "reference/hub/responses"),
            page("AG-UI", "reference/hub/ag-ui"),
            page("A2A", "reference/hub/a2a"),
            page("Agent API", "reference/hub/agent-api"),
            page("AgentScope 2", "reference/hub/agentscope"),
            page("AG-Kit", "reference/hub/ag-kit"),
            page("AI SDK", "reference/hub/ai-sdk"),
            page("OpenAI Chat Completions", "reference/hub/chat"),
            page("Anthropic Messages", "reference/hub/anthropic"),
            page("Gemini", "reference/hub/gemini"),
            page("Gemini Interactions", "reference/hub/interactions"),
          ],
        },
        page("Upstream clauses", "reference/clauses"),
      ],
    },
    {
      text: "Help",
      items: [
        page("Symptoms", "help/symptoms"),
        page("Troubleshooting", "help/troubleshooting"),
        page("FAQ", "help/faq"),
        page("Runtimes and bundlers", "help/where-it-runs"),
        page("Comparison", "help/comparison"),
        page("The same chat with other clients", "help/compare-chat"),
      ],
    },
    {
      text: "Project",
      items: [
        page("Performance", "project/performance"),
        page("Bundle size", "project/bundle-size"),
        page("Security policy", "project/security-policy"),
        page("Threat model", "project/security"),
        page("Architecture", "project/architecture"),
        page("Versioning", "project/versioning"),
        page("Changelog", "project/changelog"),
        page("Roadmap", "project/roadmap"),
        page("Contributing", "project/contributing"),
      ],
    },
  ];
}

/** All pages of the navigation, without their groups. */
export function pages(items) {
  return items.flatMap((item) => [...(item.link ? [item] : []), ...pages(item.items ?? [])]);
}
