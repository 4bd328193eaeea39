// Serves the preview on this machine: a page that follows edits of its files.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Io } from "../io.js";
import { toPage, type Page } from "../lib/html-document.js";
import * as local from "../lib/local-server.js";
import type { CardUpdates } from "./client/updates.js";
import { followFiles, type FollowOptions } from "./follow.js";
import { VIEWERS } from "./home.js";
import { addressOf, homeView } from "./homes.js";
import { answerIn } from "./notice.js";
import { previewView } from "./preview-page.js";

interface PreviewOptions extends FollowOptions {
  /** 0 for any free port. */
  readonly port: number;
}

export async function startPreview(io: Io, options: PreviewOptions) {
  const closing = new AbortController();
  const listeners = new Set<ServerResponse>();
  const followed = await followFiles(io, options, closing.signal, (updates) => {
    for (const response of listeners) response.write(eventOf(updates));
  });
  const page = toPage({ ...previewView(), isLive: true });

  function listen(response: ServerResponse): void {
    response.writeHead(200, local.headersFor("text/event-stream; charset=utf-8"));
    response.write(eventOf(followed.updates()));
    listeners.add(response);
    response.on("close", () => listeners.delete(response));
  }

  /** The home page at an address; undefined if there is none, such as for a notice that changed since. */
  function homeAt({ pathname: path, searchParams }: URL): Page | undefined {
    const [, , number, who] = path.split("/");
    const at = Number(number);
    const viewer = VIEWERS.find((each) => each === who);
    const preview = followed.preview(at);
    if (!preview || !viewer || path !== addressOf(at, viewer, preview)) return undefined;
    return toPage(homeView(preview, viewer, path, answerIn(searchParams).answer));
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    own: local.Listening,
  ): Promise<void> {
    const refuse = (status: number, message: string) =>
      local.sendAnswer(response, local.answerText(status, message));
    if (request.method !== "GET" && request.method !== "HEAD") {
      return refuse(405, "This server takes GET.");
    }
    const refusal = local.refuseForeign(request, own);
    if (refusal) return refuse(refusal.status, refusal.message);
    const target = local.targetOf(request);
    if (!target) return refuse(400, "The request names no path.");
    if (target.pathname === "/events" && request.method === "GET") return listen(response);
    const found = target.pathname === "/" ? page : homeAt(target);
    if (!found) return refuse(404, "There is nothing at this address.");
    local.sendAnswer(response, local.answerPage(found));
  }

  const { port } = options;
  const { listening, close } = await local.startServer({ host: "127.0.0.1", port }, answer);
  const following = followed.follow();
  return {
    url: local.addressOf(listening),
    /** Rejects if watching the files fails, and ends with `close`. */
    following,
    close: async () => {
      closing.abort();
      // `following` itself reports its failure.
      await Promise.allSettled([following]);
      await close();
    },
  };
}

/** JSON contains no line breaks, which would end the event. */
function eventOf(updates: CardUpdates): string {
  return `data: ${JSON.stringify(updates)}\n\n`;
}
