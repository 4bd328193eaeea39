// Where credentials may go: by a list, by the yes of a person that is kept for one sign-in service, and nowhere else.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  openHostAllowlist,
  credentialHostsOf,
  type HostAllowlist,
  type CredentialHosts,
} from "../../src/http/host-allowlist.js";
import { makeRun } from "../support/network.js";
import { folderOf } from "../support/run.js";
import { sitDown } from "../support/terminal.js";

const OURS = between("https://accounts.example.com", "https://gis.example.com/portal");

function between(service: string, portal: string): CredentialHosts {
  return credentialHostsOf(new URL(service), new URL(portal));
}

function portalOf(credentialHosts: CredentialHosts): URL {
  const last = credentialHosts.at(-1);
  if (!last) throw new Error("nobody gets anything");
  return last.to;
}

function home(): string {
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  return folder.path;
}

async function settled(
  allowlist: HostAllowlist,
  ...all: CredentialHosts[]
): Promise<HostAllowlist> {
  for (const each of all) allowlist.note(each);
  await allowlist.confirmNew();
  return allowlist;
}

describe("without a terminal", () => {
  test("the failure shows the exact line, with all hosts of the run", () => {
    const { io } = makeRun({ LINTEL_ALLOWED_HOSTS: undefined });
    const allowlist = openHostAllowlist(io);
    expect(allowlist.by).toBe("nobody");
    allowlist.note(OURS);
    allowlist.note(between("https://accounts.example.com", "http://127.0.0.1:8080"));
    allowlist.note(between("https://accounts.example.com", "https://gis.example.org:7443"));
    const failure = allowlist.refusal(OURS);
    expect(failure).toMatchObject({ code: "host-not-allowed", exit: 4 });
    expect(failure?.message).toContain('"accounts.example.com" and "gis.example.com"');
    const [, line = ""] =
      /^ {2}export LINTEL_ALLOWED_HOSTS=(\S+)$/m.exec(failure?.help ?? "") ?? [];
    expect(line).toBe(
      "accounts.example.com,gis.example.com,http://127.0.0.1:8080,https://gis.example.org:7443",
    );
    const listed = openHostAllowlist(makeRun({ LINTEL_ALLOWED_HOSTS: line }).io);
    expect(listed.refusal(OURS)).toBeUndefined();
    expect(() => listed.assertAllowed(new URL("http://127.0.0.1:8080"))).not.toThrow();
  });

  test("a list that is there is added to, and a shell reads the line as one word", () => {
    const { io } = makeRun({ LINTEL_ALLOWED_HOSTS: "http://127.0.0.1:*, *.example.org" });
    const { help } = openHostAllowlist(io).refusal(OURS) ?? {};
    expect(help).toContain(
      "export LINTEL_ALLOWED_HOSTS='http://127.0.0.1:*, *.example.org,accounts.example.com,gis.example.com'",
    );
  });

  test("quotes a name from a change under review for the shell", () => {
    const to = new URL("https://x;`id`$(id)&'.example.net");
    const { help } = openHostAllowlist(makeRun().io).refusal([{ service: to, to }]) ?? {};
    expect(help).toContain("x;`id`$(id)&'\\''.example.net'");
  });

  test("no list lets anything go to a host without https but this machine", () => {
    const open = between("https://gis.example.com", "http://gis.example.com");
    for (const list of ["gis.example.com", "*.example.com"]) {
      const allowlist = openHostAllowlist(makeRun({ LINTEL_ALLOWED_HOSTS: list }).io);
      expect(allowlist.refusal(open)).toMatchObject({ code: "host-not-allowed" });
      expect(allowlist.refusal(open)?.message).toContain("not encrypted");
      expect(() => allowlist.assertAllowed(portalOf(open))).toThrow("not encrypted");
    }
  });

  test.each(["CI", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION"])(
    "a terminal in a pipeline is none (%s), and loopback needs the list, too",
    async (name) => {
      const { io, asked } = sitDown("/", { [name]: "1" }, ["yes"]);
      const own = between("http://127.0.0.1:1", "http://127.0.0.1:2");
      const allowlist = await settled(openHostAllowlist(io), OURS, own);
      expect(allowlist.by).toBe("nobody");
      expect(allowlist.refusal(own)).toMatchObject({ code: "host-not-allowed" });
      expect(asked).toEqual([]);
    },
  );
});

describe("a person in a terminal", () => {
  test("is asked one question for all new hosts, and none for this machine", async () => {
    const { io, shown, asked } = sitDown("/", { XDG_CONFIG_HOME: home() }, ["yes"]);
    const own = between("http://127.0.0.1:1", "http://localhost:2");
    const other = between("https://accounts.example.com", "https://gis.example.org:7443");
    const allowlist = await settled(openHostAllowlist(io), OURS, other, own);
    expect(asked).toHaveLength(1);
    for (const host of [
      "accounts.example.com",
      "gis.example.com",
      "https://gis.example.org:7443",
    ]) {
      expect(shown.join("")).toContain(`  ${host}`);
    }
    expect(shown.join("")).not.toContain("127.0.0.1");
    for (const each of [OURS, other, own]) expect(allowlist.refusal(each)).toBeUndefined();
    expect(() => allowlist.assertAllowed(new URL("https://gis.example.org:7443/x"))).not.toThrow();
    for (const url of [
      "https://gis.example.org/x",
      "https://else.example.com",
      "http://gis.example.com",
    ]) {
      expect(() => allowlist.assertAllowed(new URL(url))).toThrow(
        /which no file of this run names|not encrypted/,
      );
    }
  });

  test("is shown the address of a webhook as the file writes it", async () => {
    const config = home();
    writeFileSync(join(config, "lintel"), "in the way");
    const { io, shown, asked } = sitDown("/", { XDG_CONFIG_HOME: config }, ["yes"]);
    const to = new URL("https://hidden-host.example.com/very-secret-path");
    const hook = [{ service: to, to, written: "${env:LINTEL_WEBHOOK_PEOPLE}" }];
    const allowlist = await settled(openHostAllowlist(io), hook);
    expect(asked).toHaveLength(1);
    expect(allowlist.refusal(hook)).toBeUndefined();
    expect(shown.join("")).toContain("  ${env:LINTEL_WEBHOOK_PEOPLE}\n");
    expect(shown.join("")).toContain("could not be kept");
    expect(shown.join("")).not.toMatch(/hidden-host|very-secret/);
  });

  test.each(["no", "", "y e s"])(
    "who answers %j lets nothing go anywhere, and nothing is kept",
    async (answer) => {
      const config = home();
      const { io } = sitDown("/", { XDG_CONFIG_HOME: config }, [answer]);
      const allowlist = await settled(openHostAllowlist(io), OURS);
      expect(allowlist.refusal(OURS)).toMatchObject({ code: "host-not-allowed", exit: 4 });
      expect(() => allowlist.assertAllowed(portalOf(OURS))).toThrow("declined at the prompt");
      expect(readdirSync(config)).toEqual([]);
    },
  );

  test("remembers the yes for that service: another one asks again for the same host", async () => {
    const env = { XDG_CONFIG_HOME: home() };
    await settled(openHostAllowlist(sitDown("/", env, ["yes"]).io), OURS);
    const again = sitDown("/", env, []);
    expect((await settled(openHostAllowlist(again.io), OURS)).refusal(OURS)).toBeUndefined();
    expect(again.asked).toEqual([]);

    const moved = between("https://accounts.evil.example", "https://gis.example.com/portal");
    const asked = sitDown("/", env, ["no"]);
    const allowlist = await settled(openHostAllowlist(asked.io), moved);
    expect(asked.asked).toHaveLength(1);
    expect(allowlist.refusal(moved)?.message).toContain(
      '"accounts.evil.example" and "gis.example.com"',
    );
  });

  test("with a list set is not asked: the list decides", async () => {
    const { io, asked } = sitDown("/", { LINTEL_ALLOWED_HOSTS: "gis.example.com" }, ["yes"]);
    const allowlist = await settled(openHostAllowlist(io), OURS);
    expect(allowlist.refusal(OURS)).toMatchObject({ code: "host-not-allowed" });
    expect(asked).toEqual([]);
  });

  test.each([
    "http://127.0.0.1:8080",
    "http://localhost:8080",
    "http://[::1]:8080",
    "postgres://127.0.0.1:5432",
  ])("with a list set sends nothing to %s unless it is listed", async (entry) => {
    const to = new URL(entry);
    const own = [{ service: to, to }];
    const { io } = sitDown("/", { LINTEL_ALLOWED_HOSTS: "gis.example.com" }, ["yes"]);
    const allowlist = await settled(openHostAllowlist(io), own);
    const failure = allowlist.refusal(own);
    expect(failure).toMatchObject({ code: "host-not-allowed", exit: 4 });
    expect(failure?.help).toContain(`gis.example.com,${entry}`);
    expect(() => allowlist.assertAllowed(to)).toThrow("LINTEL_ALLOWED_HOSTS does not list");
    const anyPort = entry.replace(/\d+$/, "*");
    const listed = openHostAllowlist(sitDown("/", { LINTEL_ALLOWED_HOSTS: anyPort }, []).io);
    expect(listed.refusal(own)).toBeUndefined();
    expect(() => listed.assertAllowed(to)).not.toThrow();
  });
});

describe("remembered permissions", () => {
  const filesIn = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name));

  test("is for its owner alone, and lies where such files belong", async () => {
    const folder = home();
    await settled(openHostAllowlist(sitDown("/", { HOME: folder }, ["yes"]).io), OURS);
    const files = filesIn(join(folder, ".config/lintel"));
    expect(files).toHaveLength(2);
    for (const file of files) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
        service: "https://accounts.example.com",
      });
    }
    expect(statSync(join(folder, ".config/lintel/hosts")).mode & 0o777).toBe(0o700);
  });

  test("survives runs at once: each keeps its own, and none harms another's", async () => {
    const env = { XDG_CONFIG_HOME: home() };
    const all = Array.from({ length: 20 }, (_, n) =>
      between("https://accounts.example.com", `https://gis-${n % 10}.example.com`),
    );
    await Promise.all(
      all.map((each) => settled(openHostAllowlist(sitDown("/", env, ["yes"]).io), each)),
    );
    const { io, asked } = sitDown("/", env, []);
    const allowlist = await settled(openHostAllowlist(io), ...all);
    expect(asked).toEqual([]);
    expect(allowlist.refusal()).toBeUndefined();
    expect(filesIn(env.XDG_CONFIG_HOME)).toHaveLength(11);
  });

  test.each<[what: string, damage: (path: string) => void]>([
    ["cut off", (path) => writeFileSync(path, readFileSync(path).subarray(0, 20))],
    ["empty", (path) => writeFileSync(path, "")],
    [
      "about another host",
      (path) =>
        writeFileSync(
          path,
          '{"service":"https://accounts.example.com","host":"https://evil.example"}',
        ),
    ],
    ["not JSON", (path) => writeFileSync(path, "yes")],
  ])(
    "is no yes where it is %s; the person is asked again, and it is whole again",
    async (_, damage) => {
      const env = { XDG_CONFIG_HOME: home() };
      await settled(openHostAllowlist(sitDown("/", env, ["yes"]).io), OURS);
      for (const file of filesIn(env.XDG_CONFIG_HOME)) damage(file);
      const doubtful = sitDown("/", env, ["no"]);
      expect((await settled(openHostAllowlist(doubtful.io), OURS)).refusal(OURS)).toBeDefined();
      expect(doubtful.asked).toHaveLength(1);
      await settled(openHostAllowlist(sitDown("/", env, ["yes"]).io), OURS);
      const after = sitDown("/", env, []);
      expect((await settled(openHostAllowlist(after.io), OURS)).refusal(OURS)).toBeUndefined();
    },
  );

  test("reports that it cannot be remembered, and continues the run", async () => {
    const folder = home();
    writeFileSync(join(folder, "lintel"), "in the way");
    const { io, shown } = sitDown("/", { XDG_CONFIG_HOME: folder }, ["yes"]);
    expect((await settled(openHostAllowlist(io), OURS)).refusal(OURS)).toBeUndefined();
    expect(shown.join("")).toContain("could not be kept");
  });
});
