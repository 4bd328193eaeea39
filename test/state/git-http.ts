// Real git over HTTP, with its own http-backend, a password, and answers that are lost.
import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { dirname, basename } from "node:path";
import { listen } from "../support/network.js";
import type { Server } from "./repositories.js";

export const ADA = { user: "ada", password: "pa55-hidden-w0rd" };
export const BASIC = `Basic ${Buffer.from(`${ADA.user}:${ADA.password}`).toString("base64")}`;
/** As a pipeline's checkout leaves it in the configuration. */
export const EXTRA_HEADER = `Authorization: ${BASIC}`;

export interface GitOverHttp {
  /** Of the repository. */
  readonly url: string;
  /** What was asked, without what led to a sign-in. */
  readonly asked: readonly string[];
  /** What becomes of an answer: sent, unless it says otherwise. */
  fate: (
    asked: string,
  ) => "sent" | "cut" | "unasked" | { readonly status: number; readonly body: string };
}

/** Takes what ada sends, and nobody else's; or says otherwise who may do what. */
export async function serveOverHttp(
  { folder, env }: Server,
  may = (authorization: string | undefined, _what: string) => authorization === BASIC,
): Promise<GitOverHttp> {
  const asked: string[] = [];
  const over: GitOverHttp = { url: "", asked, fate: () => "sent" };
  const host = await listen(
    createServer((request, response) => {
      const what = `${request.method} ${request.url}`;
      if (!may(request.headers.authorization, what)) {
        response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end("who?");
        return;
      }
      asked.push(what);
      const fate = over.fate(what);
      if (typeof fate === "object") {
        // Git repeats no other kind.
        response.writeHead(fate.status, { "content-type": "text/plain" }).end(fate.body);
      } else if (fate === "unasked") request.socket.destroy();
      else backend(request, response, { folder, env, isCut: fate === "cut" });
    }),
  );
  return Object.assign(over, { url: `http://${host}/${basename(folder)}` });
}

interface Serving {
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly isCut: boolean;
}

function backend(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, env, isCut }: Serving,
): void {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const { headers } = request;
  const child = spawn("git", ["http-backend"], {
    env: {
      ...env,
      GIT_PROJECT_ROOT: dirname(folder),
      GIT_HTTP_EXPORT_ALL: "yes",
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: searchParams.toString(),
      REQUEST_METHOD: request.method ?? "",
      CONTENT_TYPE: headers["content-type"] ?? "",
      ...(headers["content-length"] && { CONTENT_LENGTH: headers["content-length"] }),
      ...(headers["content-encoding"] && { HTTP_CONTENT_ENCODING: headers["content-encoding"] }),
      ...(headers["git-protocol"] && { GIT_PROTOCOL: String(headers["git-protocol"]) }),
      REMOTE_USER: ADA.user,
      REMOTE_ADDR: "127.0.0.1",
    },
  });
  child.stdin.on("error", () => {});
  request.pipe(child.stdin);
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  child.on("close", () => {
    if (isCut) {
      request.socket.destroy();
      return;
    }
    const said = Buffer.concat(parts);
    const end = said.indexOf("\r\n\r\n");
    const own = said.subarray(0, end).toString("latin1").split("\r\n");
    const pairs = own.map((line): [string, string] => {
      const [name = "", ...value] = line.split(": ");
      return [name.toLowerCase(), value.join(": ")];
    });
    const status = Number(pairs.find(([name]) => name === "status")?.[1]?.slice(0, 3) ?? 200);
    const rest = pairs.filter(([name]) => name !== "status" && name !== "");
    response.writeHead(status, Object.fromEntries(rest)).end(said.subarray(end + 4));
  });
}
