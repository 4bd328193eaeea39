// A server that answers as GitHub's interface does, for one repository → what was written there, and every request.
import { createServer, type IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";

export const BOT = "github-actions[bot]";

interface Written {
  readonly id: number;
  readonly user: { readonly login: string } | null;
  body: string;
}

interface Issue extends Written {
  readonly number: number;
  readonly title: string;
  state: string;
  readonly pull_request?: object;
}

interface Pull {
  readonly number: number;
  /** "owner:branch" */
  readonly head: string;
  readonly sha: string;
  readonly merged?: string;
  /** The branch that it is for; main, if nothing else is said. */
  readonly base?: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export async function openGitHub(pulls: readonly Pull[] = []) {
  const comments = new Map<number, Written[]>();
  const issues: Issue[] = [];
  const scans: { readonly ref: string; readonly sha: string; readonly sarif: string }[] = [];
  const requests: string[] = [];
  /** By "METHOD path": what is answered instead. */
  const rude = new Map<string, Answer>();
  let lastId = 1000;
  const by = (body: string, login = BOT) => ({ id: ++lastId, user: { login }, body });
  const commentsOf = (number: number) => {
    const all = comments.get(number) ?? [];
    comments.set(number, all);
    return all;
  };

  function answerTo(method: string, url: URL, content: Content): unknown {
    const path = url.pathname.replace("/repos/gis/portals", "");
    const [, , at = ""] = path.split("/");
    const query = url.searchParams;
    const page = <Entry>(all: readonly Entry[]) => {
      const [size, number] = [Number(query.get("per_page") ?? 30), Number(query.get("page") ?? 1)];
      return all.slice((number - 1) * size, number * size);
    };
    if (method === "GET" && path === "/pulls") {
      const found = pulls.filter(({ head, merged }) => head === query.get("head") && !merged);
      return page(found.map(({ number, sha }) => ({ number, head: { sha } })));
    }
    if (method === "GET" && /^\/commits\/\w+\/pulls$/.test(path)) {
      return pulls.map(({ number, merged, base = "main" }) => ({
        number,
        base: { ref: base },
        merged_at: merged === at ? "now" : null,
      }));
    }
    if (/^\/issues\/\d+\/comments$/.test(path)) {
      const all = commentsOf(Number(at));
      if (method === "GET") return page(all);
      all.push(by(content.body ?? ""));
      return all.at(-1);
    }
    if (method === "PATCH" && path.startsWith("/issues/comments/")) {
      const own = [...comments.values()].flat().find(({ id }) => path.endsWith(`/${id}`));
      return own && Object.assign(own, content);
    }
    if (method === "GET" && path === "/issues") {
      const wanted = issues.filter(({ state }) =>
        ["all", state].includes(query.get("state") ?? "open"),
      );
      return page(query.get("direction") === "desc" ? wanted.toReversed() : wanted);
    }
    if (method === "POST" && path === "/issues") {
      const { title = "", body = "" } = content;
      issues.push({ ...by(body), number: issues.length + 1, title, state: "open" });
      return issues.at(-1);
    }
    if (method === "PATCH" && path.startsWith("/issues/")) {
      const own = issues.find(({ number }) => number === Number(at));
      return own && Object.assign(own, content);
    }
    if (method === "POST" && path === "/code-scanning/sarifs") {
      const { ref = "", commit_sha: sha = "", sarif = "" } = content;
      scans.push({ ref, sha, sarif: String(gunzipSync(Buffer.from(sarif, "base64"))) });
      return { id: "scan" };
    }
    return undefined;
  }

  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const url = new URL(request.url ?? "", "http://127.0.0.1");
      const { method = "" } = request;
      const asked = `${method} ${url.pathname.replace("/repos/gis/portals", "")}`;
      requests.push(asked);
      const isSignedIn = request.headers.authorization === "Bearer token";
      const content = text === "" ? {} : (JSON.parse(text) as Content);
      const instead = rude.get(asked) ?? (isSignedIn ? undefined : { status: 401, text: "{}" });
      const answer = instead ? undefined : answerTo(method, url, content);
      response.statusCode = instead?.status ?? (answer === undefined ? 404 : 200);
      response.end(instead?.text ?? JSON.stringify(answer ?? {}));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return {
    commentsOf,
    issues,
    scans,
    requests,
    rude,
    by,
    writes: () => requests.filter((each) => !each.startsWith("GET")),
    env: { GITHUB_API_URL: `http://127.0.0.1:${port}`, GITHUB_REPOSITORY: "gis/portals" },
  };
}

type Content = Readonly<
  Partial<Record<"body" | "title" | "state" | "ref" | "commit_sha" | "sarif", string>>
>;

async function textOf(request: IncomingMessage): Promise<string> {
  return await request.setEncoding("utf8").reduce((all: string, part: string) => all + part, "");
}
