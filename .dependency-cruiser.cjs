// The layers of pkg/src, checked by `npm run layers`.

/**
 * The folders and the folders that each of them may import, besides itself and the printed
 * declarations. The modules of a protocol may import all of them. A file at the top of pkg/src is
 * an entry point, or has the exports that entry points share.
 */
const LAYERS = {
  core: [],
  http: ["core"],
  read: ["core"],
  store: ["core", "read"],
  connect: ["core", "http", "read", "store"],
  convert: ["core", "http", "read"],
  emit: ["core", "http", "read", "convert"],
  conversation: ["core", "http", "read", "connect", "convert"],
  model: ["core", "http", "read", "connect", "convert", "conversation", "emit"],
  runs: ["core", "http", "read", "connect", "convert", "emit", "server", "stores"],
  server: ["core", "http", "convert", "conversation", "emit"],
  stores: ["core"],
};
const FOLDERS = [...Object.keys(LAYERS), "entries"].join("|");
const PROTOCOLS = "agent_api|agentscope|ag_kit|ag_ui|responses|a2a|ai_sdk|chat|anthropic|gemini";

module.exports = {
  forbidden: [
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    ...Object.entries(LAYERS).map(([folder, below]) => ({
      name: `layer-${folder}`,
      severity: "error",
      from: { path: `^pkg/src/${folder}/` },
      to: {
        path: `^pkg/src/((${FOLDERS})/|[^/]+$)`,
        pathNot: `^pkg/src/(${[folder, ...below].join("|")})/`,
      },
    })),
    {
      name: "protocols-by-tables",
      comment:
        "The folder of a protocol is imported by the printed lists of protocols; by the runs client and its entry point, which read AG-UI; and by the conversations of agents, whose form is that of the Agent API.",
      severity: "error",
      from: {
        path: "^pkg/src/",
        pathNot: `^pkg/src/(${PROTOCOLS}|generated|runs|entries|conversation)/`,
      },
      to: { path: `^pkg/src/(${PROTOCOLS})/` },
    },
    {
      name: "no-other-protocol",
      severity: "error",
      from: { path: `^pkg/src/(${PROTOCOLS})/` },
      to: { path: `^pkg/src/(${PROTOCOLS})/`, pathNot: "^pkg/src/$1/" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: ["node_modules", "pkg/build", "pkg/dist"] },
  },
};
