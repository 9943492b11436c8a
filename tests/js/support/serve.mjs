// A static file server for pages under test: this machine only, any free port, gone with the test
// process.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

/**
 * Serves a folder; resolves to its address (without a slash at the end) and a function that stops
 * it.
 */
export async function serve(folder) {
  const root = normalize(folder + sep);
  const server = createServer((request, response) => {
    answer(root, request, response).catch((error) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  // A test that forgets to close it must not keep the process alive.
  server.unref();
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(root, request, response) {
  const { pathname } = new URL(request.url, "http://127.0.0.1");
  // Browsers request it automatically, and a 404 would count as an error of the page.
  if (pathname === "/favicon.ico") {
    response.writeHead(204).end();
    return;
  }
  const path = normalize(
    join(root, decodeURIComponent(pathname), pathname.endsWith("/") ? "index.html" : ""),
  );
  const found =
    path.startsWith(root) &&
    (await stat(path).then(
      (entry) => entry.isFile(),
      () => false,
    ));
  if (!found) {
    response.writeHead(404).end(`no file ${pathname}`);
    return;
  }
  response.writeHead(200, {
    "content-type": TYPES[extname(path)] ?? "application/octet-stream",
    "cache-control": "no-store",
  });
  createReadStream(path).pipe(response);
}
