// A runs service as a process: node runs_server.mjs <port> <folder> <options as JSON>. It stores everything in the folder.
import { createServer } from "node:http";
import { join } from "node:path";
import { toNodeListener } from "agentwire/node";
import { createRuns, folderBlobs, sqliteStore } from "agentwire/runs/server";
import { service } from "./runs_agent.mjs";

const [port, folder, options] = process.argv.slice(2);
const store = sqliteStore(join(folder, "runs.sqlite"));
const runs = createRuns({ ...service, ...JSON.parse(options), store, blobs: folderBlobs(join(folder, "blobs")), env: { name: "here" } });
createServer(toNodeListener(runs.fetch)).listen(Number(port), "127.0.0.1");
