// The counts of a plan for a merge request of GitLab: of all portals of the run, or of none.
import { expect, onTestFinished, test } from "vitest";
import { folderOf } from "../support/run.js";
import { fileFor, keysOf, openSandbox } from "../support/sandbox.js";
import { call } from "./call.js";

test("sums counts over all portals, and omits them if a portal has no plan", async () => {
  const sandbox = await openSandbox({ portals: 2 });
  const portal = (id: string, settings: string) =>
    fileFor(sandbox, `settings: { ${settings} }\n`).replace('" }\n', `", id: ${id} }\n`);
  const banner = 'informationalBanner: { text: "Closed", bgColor: black, fontColor: white }';
  const folder = folderOf({
    "portals/a.yaml": portal("portal-1", "blockBetaApps: true"),
    "portals/b.yaml": portal("portal-2", `blockBetaApps: true, ${banner}`),
    "portals/c.yaml": portal("portal-9", "blockBetaApps: true"),
  });
  onTestFinished(() => folder.remove());
  sandbox.change("portal-2", { blockBetaApps: false });
  const plan = (...words: string[]) =>
    call(["plan", ...words, "--output", "gitlab-plan"], { cwd: folder.path, env: keysOf(sandbox) });
  const counts = async (...words: string[]) => JSON.parse((await plan(...words)).stdout) as object;
  const one = await counts("portals/a.yaml");
  const other = await counts("portals/b.yaml");
  expect([one, other]).toEqual([
    { create: 1, update: 0, delete: 0 },
    { create: 3, update: 1, delete: 0 },
  ]);
  expect(await counts("portals/a.yaml", "portals/b.yaml")).toEqual({
    create: 4,
    update: 1,
    delete: 0,
  });
  const failed = await plan("portals");
  expect([failed.exit, JSON.parse(failed.stdout)]).toEqual([4, { exitCode: 4 }]);
  expect(JSON.parse((await plan("portals", "--save")).stdout)).toEqual({ exitCode: 64 });
});
