import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

// The page reaches the agent at its own origin, so CORS is not needed.
const agent = process.env["AGENT_URL"] ?? "http://127.0.0.1:8787";
const proxy = { "/ag-ui": agent, "/v1/responses": agent, "/a2a": agent };

export default defineConfig({
  plugins: [react()],
  server: { proxy },
  preview: { proxy },
});
