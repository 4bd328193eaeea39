// A plan without credentials: it says first what it compared with, and fails where credentials were to be expected.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openPlace, type Place } from "./place.js";

async function placed(): Promise<Place> {
  const place = await openPlace();
  place.write(
    "state: file:states\nsettings: { informationalBanner: { text: Hello, enabled: true } }\n",
  );
  return place;
}

const NONE = { LINTEL_BEID: undefined, LINTEL_WEB_SERVICES_KEY: undefined };
const NO_HOSTS = { LINTEL_ALLOWED_HOSTS: "" };
const EMPTY = { LINTEL_BEID: "", LINTEL_WEB_SERVICES_KEY: "" };

describe("a plan without credentials", () => {
  const FIRST = [
    "Compared with the public settings. Lintel did not sign in.",
    "Compared with nothing: the portal was not read, and nothing was applied before.",
  ];
  test.each([
    ["of a pull request on GitLab", { CI: "true", CI_DEFAULT_BRANCH: "main" }],
    ["of another branch on GitLab", { CI_COMMIT_BRANCH: "b", CI_DEFAULT_BRANCH: "main" }],
    ["of another branch on Jenkins", { JENKINS_URL: "x", BRANCH_IS_PRIMARY: "false" }],
    ["of a pull request on GitHub", { CI: "true", GITHUB_REF: "refs/pull/7/merge" }],
    ["of a person", {}],
  ])("%s exits with 0, and first names the comparison", async (_, env) => {
    const place = await placed();
    const hosts = { LINTEL_ALLOWED_HOSTS: place.sandbox.url };
    for (const [at, more] of [hosts, NO_HOSTS].entries()) {
      const { exit, stdout, stderr } = await place.run("plan", {
        env: { ...env, ...NONE, ...more },
      });
      expect(exit).toBe(0);
      expect(stdout.split("\n")[1]?.trim()).toBe(FIRST[at]);
      expect(stdout.replace(/\s+/g, " ")).toContain("This plan cannot be applied.");
      expect(stderr).toEqual(at === 0 ? "" : expect.stringContaining("Not every portal was read"));
    }
  });
});

describe("fails with 4 if credentials are expected", () => {
  const GITHUB = { CI: "true", GITHUB_REF: "refs/heads/trunk", GITHUB_EVENT_PATH: "event.json" };
  test.each<readonly [string, Readonly<Record<string, string>>, object]>([
    ["a secret is set but empty", {}, EMPTY],
    [
      "GitLab runs the default branch",
      { CI_COMMIT_BRANCH: "main", CI_DEFAULT_BRANCH: "main" },
      NONE,
    ],
    ["Jenkins runs the primary branch", { JENKINS_URL: "x", BRANCH_IS_PRIMARY: "true" }, NONE],
    ["GitHub runs the default branch", GITHUB, NONE],
  ])("%s", async (_, env, secrets) => {
    const place = await placed();
    const event = join(place.folder.path, "event.json");
    writeFileSync(event, '{ "repository": { "default_branch": "trunk" } }');
    const given = env["GITHUB_EVENT_PATH"] ? { ...env, GITHUB_EVENT_PATH: event } : env;
    const hosts = { LINTEL_ALLOWED_HOSTS: place.sandbox.url };
    for (const [code, more] of [
      ["credential-missing", hosts],
      ["host-not-allowed", NO_HOSTS],
    ] as const) {
      const ran = await place.run("plan", { env: { ...given, ...secrets, ...more } });
      expect(ran).toMatchObject({ exit: 4, stderr: "" });
      expect(ran.stdout).toContain(`[${code}]`);
    }
    // Nothing is sent, so nothing is needed.
    const offline = await place.run("plan --offline", { env: { ...given, ...secrets } });
    expect(offline).toMatchObject({ exit: 0 });
  });
});
