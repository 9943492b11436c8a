import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

// The agent is asked under the page's own address, so there is no CORS to think of.
const agent = process.env["AGENT_URL"] ?? "http://127.0.0.1:8787";
const proxy = { "/process": agent, "/ag-ui": agent };

export default defineConfig({
  plugins: [react()],
  server: { proxy },
  preview: { proxy },
});
