// The step that writes the plans of proposals as comments on Azure, run against a server that answers as Azure does.
import { expect, onTestFinished, test } from "vitest";
import { textsBeside } from "../../src/pipelines/pipeline.js";
import { folderOf } from "../support/run.js";
import { playAzure, TOKEN } from "./azure-platform.js";
import { runSteps, SAMPLE, STEPS } from "./platform.js";

const MARKER = "[//]: # (lintel proposal)";

async function openPlatform() {
  const platform = await playAzure();
  const [text = ""] = Object.values(textsBeside("azure", SAMPLE));
  const comment = async (token: string | undefined = TOKEN) => {
    const folder = folderOf();
    onTestFinished(() => folder.remove());
    const secrets: Record<string, string> = token === "" ? {} : { REPORT_TOKEN: token };
    const steps = STEPS.azure(text, "comment", { secrets, plain: {} });
    return await runSteps(steps, folder.path, platform.env);
  };
  return Object.assign(platform, { comment });
}

const attached = (text: string, attempted = 1) => ({ [`plan-${attempted}`]: text });

test("a plan is commented once, and the comment updated, whatever others have written", async () => {
  const azure = await openPlatform();
  const hostile = "$(touch pwned) `touch pwned` ${{ secrets.KEY }}\nEND\n";
  azure.pulls.push(7);
  azure.runs.push({ id: 70, pull: 7, attached: attached(hostile) });
  azure.comments[7] = [
    { content: "Looks good.", author: "ada" },
    { content: `${MARKER}\n\nNot ours`, author: "eve" },
  ];
  expect(await azure.comment()).toEqual({ exit: 0, stdout: "", stderr: "" });
  expect(azure.comments[7]).toHaveLength(3);
  const first = azure.comments[7]?.[2]?.content ?? "";
  expect(first.split("\n\n")[0]).toBe(MARKER);
  expect(first).toMatch(/^Made by \[a run\]\(http\S+buildId=70\) .* at 70707070\.$/m);
  expect(first.endsWith(`\n\n${hostile}`)).toBe(true);
  // Nothing new is no reason to write, and tells nobody.
  const before = azure.writes.length;
  await azure.comment();
  expect(azure.writes.slice(before).filter((each) => !each.includes("/threads/1/"))).toEqual([]);
  azure.runs.push({ id: 71, pull: 7, attached: attached("No changes.") });
  expect((await azure.comment()).exit).toBe(0);
  expect(azure.comments[7]).toHaveLength(3);
  expect(azure.comments[7]?.[2]?.content).toContain("No changes.");
  expect(azure.comments[7]?.[1]?.content).toBe(`${MARKER}\n\nNot ours`);
});

test("each open proposal has its own, of its newest run and of that run's newest attempt", async () => {
  const azure = await openPlatform();
  azure.pulls.push(...Array.from({ length: 101 }, (_, at) => at + 1));
  azure.runs.push(
    { id: 10, pull: 1, attached: attached("Older") },
    { id: 11, pull: 1, attached: { ...attached("Attempt 9", 9), ...attached("Attempt 10", 10) } },
    { id: 12, pull: 1, attached: attached("Canceled"), result: "canceled" },
    { id: 13, pull: 101, result: "failed" },
    { id: 14, pull: 102, attached: attached("Merged already") },
  );
  expect((await azure.comment()).exit).toBe(0);
  expect(Object.keys(azure.comments)).toEqual(["1", "101"]);
  expect(azure.comments[1]?.[0]?.content).toContain("Attempt 10");
  expect(azure.comments[101]?.[0]?.content).toContain(
    "There is no plan: the run failed before it.",
  );
});

test("what is too long is cut, and a comment that somebody deleted is written anew", async () => {
  const azure = await openPlatform();
  azure.pulls.push(7);
  azure.comments[7] = [{ content: MARKER, author: "reports@example.com", isDeleted: true }];
  azure.runs.push({ id: 70, pull: 7, attached: attached("😀".repeat(200_000)) });
  expect((await azure.comment()).exit).toBe(0);
  expect(azure.comments[7]).toHaveLength(2);
  expect(azure.comments[7]?.[1]?.content.length).toBeGreaterThan(147_000);
  expect(azure.comments[7]?.[1]?.content).toMatch(/😀$/u);
});

test("what one proposal's run has broken keeps no other from its comment", async () => {
  const azure = await openPlatform();
  azure.pulls.push(7, 8);
  azure.runs.push({ id: 70, pull: 7, attached: attached("Seven") });
  azure.runs.push({ id: 80, pull: 8, attached: attached("Eight") });
  const body = "broken ##vso[task.setvariable variable=PATH]/eve\nand more";
  azure.rude = (asked) => (asked.includes("builds/70/") ? { status: 500, body } : undefined);
  const { exit, stdout } = await azure.comment();
  expect(exit).toBe(1);
  expect(stdout).toMatch(
    /^##vso\[task\.logissue type=error\]GET .*: 500 broken ##\[vso\].* and more\n$/,
  );
  expect(azure.comments[7]).toBeUndefined();
  expect(azure.comments[8]).toHaveLength(1);
});

test("a token that is missing, has expired or may not, and a pipeline that is not there, are named", async () => {
  const azure = await openPlatform();
  azure.pulls.push(7);
  azure.runs.push({ id: 70, pull: 7, attached: attached("Seven") });
  const told = async (token?: string) => {
    const { exit, stdout } = await azure.comment(token);
    return `${exit} ${stdout}`;
  };
  expect(await told("")).toContain(
    "1 ##vso[task.logissue type=error]The variable group portal-reports",
  );
  expect(await told("expired")).toContain("The token is refused");
  azure.rude = (asked) =>
    asked.includes("threads") && asked.startsWith("POST")
      ? { status: 403, body: "TF401027" }
      : undefined;
  expect(await told()).toMatch(/The token is refused.*TF401027/);
  azure.rude = () => ({ status: 203, body: "<html>Sign in" });
  expect(await told()).toMatch(/The token is refused.*no JSON/);
  azure.rude = (asked) =>
    asked.endsWith("definitions") ? { status: 200, body: '{"value":[]}' } : undefined;
  expect(await told()).toContain("No pipeline of this repository is made from azure-pipelines.yml");
  expect(azure.comments[7]).toBeUndefined();
});
