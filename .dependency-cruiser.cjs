// The layers of pkg/src, checked by `npm run layers`.
const PROTOCOLS = "agent_api|ag_kit|ag_ui|responses|a2a";

module.exports = {
  forbidden: [
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "protocols-by-tables",
      comment: "Only entry points, printed files and the runs client import from the folder of a protocol.",
      severity: "error",
      from: { path: "^pkg/src/", pathNot: [`^pkg/src/(${PROTOCOLS}|entries|runs)/`, "^pkg/src/(protocol[a-z_]*|generated)[.]ts$"] },
      to: { path: `^pkg/src/(${PROTOCOLS})/` },
    },
    {
      name: "no-other-protocol",
      comment: "Requests are converted by way of the Agent API.",
      severity: "error",
      from: { path: `^pkg/src/(${PROTOCOLS})/` },
      to: { path: `^pkg/src/(${PROTOCOLS})/`, pathNot: ["^pkg/src/$1/", "^pkg/src/agent_api/convert_request[.]ts$"] },
    },
  ],
  options: { tsPreCompilationDeps: true, doNotFollow: { path: ["node_modules", "pkg/dist"] } },
};
