// The step that writes a proposal's plan as a comment, run against a server that answers as GitHub does.
import { createServer } from "node:http";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { textsBeside } from "../../src/pipelines/pipeline.js";
import { folderOf } from "../support/run.js";
import { runSteps, SAMPLE } from "./platform.js";

const MARKER = "<!-- lintel proposal -->";
const BOT = "github-actions[bot]";

interface Comment {
  readonly id: number;
  readonly user: { readonly login: string };
  body: string;
}

/** One open pull request from a fork, whose comments fill more than a page. */
async function openPlatform() {
  const comments: Comment[] = Array.from({ length: 100 }, (_, id) => ({
    id,
    user: { login: "eve" },
    body: `${MARKER} Not ours`,
  }));
  const writes: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://127.0.0.1");
    const answer = (value: unknown) => response.end(JSON.stringify(value));
    const page = Number(url.searchParams.get("page") ?? 1);
    expect(request.headers.authorization).toBe("Bearer token");
    if (request.method === "GET" && url.pathname.endsWith("/pulls")) {
      expect(url.searchParams.get("head")).toBe("eve:a&b");
      answer([
        { number: 6, head: { sha: "older" } },
        { number: 7, head: { sha: "sha" } },
      ]);
    } else if (request.method === "GET") {
      answer(comments.slice((page - 1) * 100, page * 100));
    } else {
      void request
        .setEncoding("utf8")
        .reduce((all: string, part: string) => all + part, "")
        .then((text) => {
          const { body } = JSON.parse(text) as { body: string };
          writes.push(`${request.method} ${url.pathname}`);
          const own = comments.find(({ id }) => url.pathname.endsWith(`/issues/comments/${id}`));
          if (own) own.body = body;
          else comments.push({ id: 500, user: { login: BOT }, body });
          answer({});
        });
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const [text = ""] = Object.values(textsBeside("github", SAMPLE));
  const { jobs } = parse(text) as { jobs: { comment: { steps: { run?: string }[] } } };
  const script = jobs.comment.steps.find(({ run }) => run)?.run ?? "";
  return {
    comments,
    writes,
    comment: async (prepare: (folder: string) => void, sha = "sha") => {
      const folder = folderOf();
      onTestFinished(() => folder.remove());
      mkdirSync(join(folder.path, "proposal"));
      prepare(join(folder.path, "proposal"));
      return await runSteps([{ text: script, env: {} }], folder.path, {
        GITHUB_API_URL: `http://127.0.0.1:${port}`,
        GITHUB_REPOSITORY: "gis/portals",
        TOKEN: "token",
        HEAD: "eve:a&b",
        SHA: sha,
        RUN: "https://github.example.com/run/1",
      });
    },
  };
}

const withPlan = (text: string) => (folder: string) => writeFileSync(join(folder, "plan.md"), text);

test("a plan is commented once, and the comment updated, whatever others have written", async () => {
  const { comments, writes, comment } = await openPlatform();
  const hostile = "$(touch pwned) `touch pwned` ${{ secrets.KEY }}\nEND\n";
  expect(await comment(withPlan(hostile))).toEqual({ exit: 0, stdout: "", stderr: "" });
  expect(comments.at(-1)?.body).toMatch(/^<!-- lintel proposal -->\n\n\$\(touch pwned\)/);
  expect(comments.at(-1)?.body).toContain("\nEND\n");
  expect((await comment(withPlan("No changes."))).exit).toBe(0);
  expect(comments.at(-1)?.body).toContain("No changes.\n\nMade by [a run](https://github.example");
  expect(comments).toHaveLength(101);
  expect(writes).toEqual([
    "POST /repos/gis/portals/issues/7/comments",
    "PATCH /repos/gis/portals/issues/comments/500",
  ]);
});

test("a run without a plan says so, a link is not followed, and one that is too long is cut", async () => {
  const { comments, comment } = await openPlatform();
  expect((await comment(() => {})).exit).toBe(0);
  expect(comments.at(-1)?.body).toContain("There is no plan");
  await comment((folder) => symlinkSync("/proc/self/environ", join(folder, "plan.md")));
  expect(comments.at(-1)?.body).toContain("There is no plan");
  await comment(withPlan("ä".repeat(70_000)));
  expect(comments.at(-1)?.body.length).toBeLessThan(65_536);
  expect(comments.at(-1)?.body).toContain("ä\n\nMade by");
});

test("a proposal that has moved on, or is closed, gets none from an older run", async () => {
  const { writes, comment } = await openPlatform();
  const { exit, stdout } = await comment(withPlan("Old"), "gone");
  expect([exit, stdout, writes]).toEqual([0, expect.stringContaining("any more"), []]);
});
