// The step that keeps a work item of drift on Azure, run against a server that answers as Azure does.
import { expect, onTestFinished, test } from "vitest";
import { pipelineText } from "../../src/pipelines/pipeline.js";
import { folderOf } from "../support/run.js";
import { playAzure, TOKEN } from "./azure-platform.js";
import { runSteps, SAMPLE, STEPS } from "./platform.js";

const DONE = "Done 'n' dusted";

async function openPlatform(type = "Task") {
  const platform = await playAzure();
  const text = pipelineText("azure", SAMPLE).replace("value: Task", `value: ${type}`);
  /** Undefined: none was found, unless a portal could not be looked at. */
  const report = async (
    drift: string | undefined,
    more: Record<string, string> = {},
    exitCode = 0,
  ) => {
    const portals = [
      { status: "unchanged" },
      ...(drift === undefined ? [] : [{ status: "changes" }]),
    ];
    const folder = folderOf({
      "drift/drift.txt": drift ?? "No drift.",
      "drift/drift.json": JSON.stringify({ portals, exitCode: drift === undefined ? exitCode : 2 }),
    });
    onTestFinished(() => folder.remove());
    const steps = STEPS.azure(text, "report", { secrets: { REPORT_TOKEN: TOKEN }, plain: {} });
    return await runSteps(steps, folder.path, {
      ...platform.env,
      PIPELINE_WORKSPACE: folder.path,
      ...more,
    });
  };
  return Object.assign(platform, { report });
}

const FINE = { exit: 0, stdout: "", stderr: "" };

test("drift opens one work item, which is updated, and closed when nothing is left", async () => {
  const azure = await openPlatform();
  expect(await azure.report(undefined)).toEqual(FINE);
  expect(azure.items).toEqual([]);
  expect(await azure.report("blockBetaApps: <b>true</b> & ##vso[task.complete]")).toEqual(FINE);
  expect(azure.items).toHaveLength(1);
  expect(azure.items[0]).toMatchObject({
    type: "Task",
    fields: {
      "System.Title": "Changed by hand on portals of portals",
      "System.Tags": "lintel-drift-6",
    },
  });
  const body = () => azure.items[0]?.fields["System.Description"];
  expect(body()).toContain(
    "<pre>blockBetaApps: &lt;b&gt;true&lt;/b&gt; &amp; ##vso[task.complete]</pre>",
  );
  expect(body()).toContain("buildId=900");
  // The next look finds the same: nobody is told again.
  const before = azure.writes.length;
  await azure.report("blockBetaApps: <b>true</b> & ##vso[task.complete]", { BUILD_BUILDID: "901" });
  expect(azure.writes).toHaveLength(before);
  await azure.report("blockBetaApps and aiAssistantsEnabled", { BUILD_BUILDID: "902" });
  expect(azure.items).toHaveLength(1);
  expect(body()).toMatch(/buildId=902.*<pre>blockBetaApps and aiAssistantsEnabled<\/pre>/);
  expect(await azure.report(undefined, { BUILD_BUILDID: "903" })).toEqual(FINE);
  expect(azure.items[0]?.fields).toMatchObject({
    "System.State": DONE,
    "System.History": expect.stringContaining("buildId=903"),
  });
  await azure.report(undefined);
  await azure.report("blockBetaApps and aiAssistantsEnabled");
  expect(azure.items.map(({ fields }) => fields["System.State"])).toEqual([DONE, "To Do"]);
});

test("who closes it has seen what it tells, and hears of something else", async () => {
  const azure = await openPlatform();
  await azure.report("The banner");
  Object.assign(azure.items[0]?.fields ?? {}, { "System.State": DONE });
  await azure.report("The banner");
  await azure.report(undefined);
  expect(azure.items).toHaveLength(1);
  await azure.report("The notice");
  expect(azure.items.map(({ fields }) => fields["System.State"])).toEqual([DONE, "To Do"]);
});

test("a portal that could not be looked at closes nothing, and where another has drift, that is told", async () => {
  const azure = await openPlatform();
  await azure.report("drift");
  expect((await azure.report(undefined, {}, 4)).stdout).toContain("the work item stays as it is");
  expect(azure.items[0]?.fields["System.State"]).toBe("To Do");
});

test("another pipeline's work item, and one that people closed, are left alone", async () => {
  const azure = await openPlatform();
  const item = (id: number, tags: string, state: string) => {
    azure.items.push({ id, type: "Task", fields: { "System.Tags": tags, "System.State": state } });
  };
  item(1, "lintel-drift-61", "To Do");
  item(2, "urgent; lintel-drift-6", "Removed");
  await azure.report(undefined);
  expect(azure.writes).toEqual([]);
  await azure.report("drift");
  expect(azure.items).toHaveLength(3);
  item(4, "lintel-drift-6; urgent", "Doing");
  await azure.report(undefined);
  expect(azure.items.map(({ fields }) => fields["System.State"])).toEqual([
    "To Do",
    "Removed",
    DONE,
    DONE,
  ]);
});

test("of a bug the field is written that its form shows", async () => {
  const azure = await openPlatform("Bug");
  expect(await azure.report("drift")).toEqual(FINE);
  expect(azure.items[0]?.type).toBe("Bug");
  expect(azure.items[0]?.fields["Microsoft.VSTS.TCM.ReproSteps"]).toContain("<pre>drift</pre>");
});

test("a platform that refuses, or knows no such type, fails the job and says why", async () => {
  const azure = await openPlatform();
  azure.rude = (asked) =>
    asked.startsWith("POST wit/workitems")
      ? { status: 400, body: "TF401320: Rule Error" }
      : undefined;
  const refused = await azure.report("drift");
  expect([refused.exit, refused.stdout]).toEqual([
    1,
    expect.stringMatching(/^##vso\[task\.logissue type=error\].*TF401320/),
  ]);
  azure.rude = () => ({ status: 302, body: "" });
  expect((await azure.report(undefined)).exit).toBe(1);
  const other = await openPlatform("Ticket");
  const unknown = await other.report("drift");
  expect([unknown.exit, unknown.stdout]).toEqual([
    1,
    expect.stringContaining("workitemtypes/Ticket"),
  ]);
});

test("more than a field should hold is cut", async () => {
  const azure = await openPlatform();
  await azure.report("&".repeat(500_000));
  expect(azure.items[0]?.fields["System.Description"]?.length).toBeLessThan(1_048_576);
});
