// Serves the pages of the dashboard with invented data, with the policies that the dashboard sends.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toPage, type View } from "../../../src/lib/html-document.js";
import { headersFor } from "../../../src/lib/local-server.js";
import type { Viewer } from "../../../src/preview/home.js";
import { homeView } from "../../../src/preview/homes.js";
import { PAGES, SETTINGS } from "./views/sample.js";

export async function serveSamples(): Promise<{ origin: string; close: () => void }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/events") {
      response.writeHead(200, headersFor("text/event-stream")).flushHeaders();
      return;
    }
    const viewer = /^\/home\/(\w+)$/.exec(pathname)?.[1] as Viewer | undefined;
    const view: View | undefined = viewer
      ? homeView({ name: "Northern district", settings: SETTINGS }, viewer, pathname)
      : PAGES[pathname]?.(searchParams);
    if (!view) {
      response.writeHead(404, headersFor("text/plain")).end("There is nothing at this address.\n");
      return;
    }
    const { text, contentSecurityPolicy } = toPage(view);
    const headers = headersFor("text/html; charset=utf-8", contentSecurityPolicy);
    response.writeHead(200, headers).end(text);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
