// An editor, as far as a language server sees one: it opens files, answers for its settings, and asks.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { environment, PROJECT } from "./run.js";

/** The package of each major version that people use. */
const PACKAGES = { 1: "yaml-language-server", 2: "yaml-language-server-2" };

export type ServerVersion = keyof typeof PACKAGES;

export const SERVER_VERSIONS: readonly ServerVersion[] = [1, 2];

const programOf = (version: ServerVersion) =>
  join(PROJECT, "node_modules", PACKAGES[version], "bin/yaml-language-server");

/** Loaded before the server: whatever reaches for the network is named on standard error and fails. */
const NO_NETWORK = `data:text/javascript,${encodeURIComponent(
  'import { Socket } from "node:net";' +
    "Socket.prototype.connect = (...to) => {" +
    " process.stderr.write(`reached for ${JSON.stringify(to)}\\n`);" +
    ' throw new Error("no network");' +
    "};",
)}`;

export interface Position {
  readonly line: number;
  readonly character: number;
}

/** A problem as the editor shows it; lines count from 0. */
export interface Marked {
  readonly message: string;
  readonly severity: number;
  readonly range: { readonly start: Position; readonly end: Position };
}

/** What a person may choose, and what the editor then writes. */
export interface Offered {
  readonly label: string;
  readonly insertText: string;
  readonly textEdit?: {
    readonly newText: string;
    readonly range: { readonly start: Position; readonly end: Position };
  };
}

export interface Editor {
  /** Shows a text as the file at `path`, and waits for what the server says of it. */
  open(path: string, text: string): Promise<readonly Marked[]>;
  hover(path: string, position: Position): Promise<string>;
  /** What it offers at a place in a text, which is shown as the file at `path` from then on. */
  complete(path: string, text: string, position: Position): Promise<readonly Offered[]>;
  /** Ends the server, and gives what it wrote to standard error. */
  close(): Promise<string>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** `yaml` are the settings that a person would make under that name. */
export async function startEditor(
  folder: string,
  yaml: Readonly<Record<string, unknown>>,
  serverVersion: ServerVersion = 1,
): Promise<Editor> {
  const program = programOf(serverVersion);
  const server = spawn(process.execPath, ["--import", NO_NETWORK, program, "--stdio"], {
    cwd: folder,
    env: environment(),
  });
  const told = server.stderr
    .setEncoding("utf8")
    .reduce((all: string, part: string) => all + part, "");
  const answers = new Map<number, (message: Message) => void>();
  const published = new Map<string, (marks: readonly Marked[]) => void>();
  let asked = 0;
  let version = 0;

  eachMessage(server, (message) => {
    const { id, method, params } = message;
    if (method === "workspace/configuration") {
      const { items } = params as { items: readonly { section: string }[] };
      // What is not set has no value, and stays with the server's own.
      send({ id, result: items.map(({ section }) => (section === "yaml" ? yaml : null)) });
    } else if (method !== undefined && id !== undefined) send({ id, result: null });
    else if (method === "textDocument/publishDiagnostics") {
      const { uri, diagnostics } = params as { uri: string; diagnostics: readonly Marked[] };
      published.get(uri)?.(diagnostics);
    } else if (id !== undefined) answers.get(id)?.(message);
  });

  function send(message: Readonly<Record<string, unknown>>): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    server.stdin.write(body);
  }

  function ask(method: string, params: unknown): Promise<unknown> {
    const id = ++asked;
    return new Promise((done, fail) => {
      answers.set(id, ({ result, error }) =>
        error ? fail(new Error(`${method}: ${error.message}`)) : done(result),
      );
      send({ id, method, params });
    });
  }

  const at = (path: string, position: Position) => ({
    textDocument: { uri: pathToFileURL(path).href },
    position,
  });

  await ask("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "portals" }],
    capabilities: {
      workspace: { configuration: true, workspaceFolders: true },
      textDocument: {
        publishDiagnostics: {},
        hover: { contentFormat: ["markdown"] },
        completion: { completionItem: { snippetSupport: true } },
      },
    },
  });
  send({ method: "initialized", params: {} });

  function show(path: string, text: string): Promise<readonly Marked[]> {
    const uri = pathToFileURL(path).href;
    const isOpen = published.has(uri);
    const marks = new Promise<readonly Marked[]>((done) => published.set(uri, done));
    version += 1;
    send(
      isOpen
        ? {
            method: "textDocument/didChange",
            params: { textDocument: { uri, version }, contentChanges: [{ text }] },
          }
        : {
            method: "textDocument/didOpen",
            params: { textDocument: { uri, languageId: "yaml", version, text } },
          },
    );
    return marks;
  }

  return {
    open: show,
    async hover(path, position) {
      const found = await ask("textDocument/hover", at(path, position));
      return (found as { contents: { value: string } } | null)?.contents.value ?? "";
    },
    async complete(path, text, position) {
      void show(path, text);
      const found = await ask("textDocument/completion", at(path, position));
      return (found as { items: readonly Offered[] }).items;
    },
    async close() {
      const ended = once(server, "close");
      await ask("shutdown", null);
      send({ method: "exit" });
      await ended;
      return await told;
    },
  };
}

/** Cuts what the server writes into messages: a header with the length in bytes, and a body. */
function eachMessage(
  { stdout }: ChildProcessWithoutNullStreams,
  take: (message: Message) => void,
): void {
  let held: Buffer = Buffer.alloc(0);
  stdout.on("data", (part: Buffer) => {
    held = Buffer.concat([held, part]);
    for (;;) {
      const start = held.indexOf("\r\n\r\n") + 4;
      const length = Number(/Content-Length: (\d+)/.exec(held.toString("latin1", 0, start))?.[1]);
      if (start < 4 || held.length < start + length) return;
      const body = held.toString("utf8", start, start + length);
      held = held.subarray(start + length);
      take(JSON.parse(body) as Message);
    }
  });
}
