// The addresses of a state and of a sign-in service: what their references stand for is shown nowhere.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { identityOf } from "../../src/state/key.js";
import { call } from "../run/call.js";
import { serve } from "../support/network.js";
import { BANNER, environmentOf, expectNone, layOut, ours, runAll, type Ground } from "./ground.js";

describe("the address of a state is named as it is written", () => {
  const HIDDEN = "somewhere-Wd5Xq8Lr2Nk7";

  test.each<[what: string, address: string, plant?: (folder: string, ground: Ground) => void]>([
    ["where nothing is wrong", "file:${env:LINTEL_VAR_DIR}"],
    ["and the key that tells portals apart", "file:${env:LINTEL_VAR_DIR}/${portal.key}"],
    ["where it is a file", "file:portal.yaml/x/${env:LINTEL_VAR_DIR}"],
    ["where the state is damaged", "file:${env:LINTEL_VAR_DIR}", damage],
    ["where it names no place that is known", "${env:LINTEL_VAR_DIR}://x"],
  ])("%s", async (_, address, plant) => {
    const ground = await layOut();
    const env = environmentOf(ground, { LINTEL_VAR_DIR: join("..", HIDDEN) });
    writeFileSync(
      join(ground.repo, "portal.yaml"),
      ours(ground, `state: "${address}"\n${BANNER}`)["portal.yaml"],
    );
    plant?.(join(ground.repo, "..", HIDDEN), ground);
    const all = await runAll(ground, env);
    expectNone(all, [HIDDEN]);
    expect(all).toMatch(
      /place +file:|The state (in )?"file:|an address such as|does not say what kind/,
    );
  });

  function damage(folder: string, { sandbox }: Ground): void {
    const revisions = join(folder, identityOf(sandbox.portalUrl, "self").key);
    mkdirSync(revisions, { recursive: true });
    writeFileSync(join(revisions, "000001.json"), "{");
  }

  test("and a variable that is not set is no reason to begin another state", async () => {
    const ground = await layOut();
    writeFileSync(
      join(ground.repo, "portal.yaml"),
      ours(ground, `state: "\${env:LINTEL_VAR_DIR}"\n${BANNER}`)["portal.yaml"],
    );
    const env = environmentOf(ground) as Record<string, string>;
    for (const words of ["plan", "apply --yes", "state show"]) {
      const ran = await call(words.split(" "), { cwd: ground.repo, env });
      expect(ran.exit).toBe(3);
      expect(ran.stdout + ran.stderr).toContain("LINTEL_VAR_DIR");
    }
    expect(readdirSync(ground.repo)).not.toContain(".lintel");
  });
});

describe("the address of a sign-in service is named as it is written", () => {
  test.each(["doctor", "plan", "apply --yes"])("by %s", async (words) => {
    const ground = await layOut();
    const service = await serve((_, response) => response.writeHead(400).end("No"));
    const host = service.host.replace("127.0.0.1", "localhost");
    const env = {
      ...environmentOf(ground),
      LINTEL_ALLOWED_HOSTS: "http://127.0.0.1:*,http://localhost:*",
      LINTEL_VAR_HOST: host,
    };
    const file = ours(ground, BANNER)["portal.yaml"].replace(
      ground.sandbox.signInUrl,
      "http://${env:LINTEL_VAR_HOST}/accounts",
    );
    writeFileSync(join(ground.repo, "portal.yaml"), file);
    const ran = await call([...words.split(" "), "--verbose"], { cwd: ground.repo, env });
    expect(ran.exit).toBe(4);
    expect(service.received).toHaveLength(1);
    expect(ran.stdout + ran.stderr).toContain('refused by "${env:LINTEL_VAR_HOST}"');
    expect(ran.stderr).toContain("POST http://${env:LINTEL_VAR_HOST}/accounts/api/auth/loginadmin");
    expect(ran.stdout + ran.stderr).not.toContain(host);
  });
});
