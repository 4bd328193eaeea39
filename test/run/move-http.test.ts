// States that move to a server of states and between two: each at an address of its own, under its lock.
import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { startStateServer, type Dialect } from "../state/state-server.js";
import { openPlace } from "./place.js";

const BANNER = "settings: { informationalBanner: { text: Hello, enabled: true } }\n";

async function openServer(dialect: Dialect) {
  const server = await startStateServer({ dialect });
  onTestFinished(() => server.close());
  const address = `${server.url}${server.pathOf("KEY").replace("KEY", "${portal.key}")}`;
  return { ...server, address };
}

test.each<[Dialect, Dialect]>([
  ["gitlab", "terraform"],
  ["gitea", "gitlab"],
])("from the folder to %s, to %s and back, for several portals", async (first, second) => {
  const [one, other] = [await openServer(first), await openServer(second)];
  const place = await openPlace({ portals: 2 });
  const { portalUrl, signInUrl } = place.sandbox;
  const writeAll = (state: string) => {
    for (const id of ["portal-1", "portal-2"]) {
      const head = `targetVersion: "12.1"\nportal: { url: "${portalUrl}", id: ${id} }\nsignIn: { url: "${signInUrl}" }\n`;
      place.write(`state: "${state}"\n${BANNER}`, { name: `portals/${id}.yaml`, head });
    }
  };
  // Back to each once, over the mark that was left there.
  const way = ["file:../kept", one.address, other.address];
  const places = [...way, ...way, "file:../kept"];
  writeAll("file:../kept");
  expect(await place.run("apply portals --yes")).toMatchObject({ exit: 0 });
  for (const [at, to] of places.slice(1).entries()) {
    const moved = await place.run(`state move --yes portals ${to}`);
    expect([to, moved.exit, moved.stdout]).toEqual([to, 0, moved.stdout]);
    expect(place.read("portals/portal-1.yaml")).toContain(`state: "${to}"\n`);
    writeAll(places[at] ?? "");
    expect((await place.run("plan portals")).exit).toBe(3);
    writeAll(to);
    expect((await place.run("plan portals")).stdout).toMatch(/^No changes\./m);
    const shown = await place.run("history portals/portal-1.yaml --output json");
    const { history } = JSON.parse(shown.stdout) as { history: object[] };
    expect(history).toHaveLength(2 + at);
  }
});

test("refuses one address for several portals before anything is done", async () => {
  const server = await openServer("terraform");
  const place = await openPlace({ portals: 2 });
  const { portalUrl, signInUrl } = place.sandbox;
  for (const id of ["portal-1", "portal-2"]) {
    const head = `targetVersion: "12.1"\nportal: { url: "${portalUrl}", id: ${id} }\nsignIn: { url: "${signInUrl}" }\n`;
    place.write(BANNER, { name: `portals/${id}.yaml`, head });
  }
  await place.run("apply portals --yes");
  const refused = await place.run(`state move --yes portals ${server.url}/states/all`);
  expect(refused).toMatchObject({ exit: 3 });
  expect(refused.stderr).toMatch(/can hold the state of one portal, and 2 files are to go there/);
  expect(server.received).toEqual([]);
  expect((await place.run("plan portals")).stdout).toMatch(/^No changes\./m);
});

test("fails at a lock of another tool, and keeps the state at its place", async () => {
  const server = await openServer("gitlab");
  const place = await openPlace();
  place.write(BANNER);
  await place.run("apply --yes");
  const words = `state move --yes portal.yaml ${server.address}`;
  const path = server.pathOf(place.state()?.portal.key ?? "");
  const info = { ID: "left", Operation: "", Info: "", Who: "ada@build-7", Version: "1" };
  const body = JSON.stringify({ ...info, Created: "2026-01-02T03:04:05Z", Path: "" });
  const md5 = createHash("md5").update(body).digest("base64");
  const locked = await fetch(`${server.url}${path}/lock`, {
    method: "POST",
    headers: { "content-type": "application/json", "content-md5": md5 },
    body,
  });
  expect(locked.status).toBe(200);
  const refused = await place.run(words);
  expect(refused).toMatchObject({ exit: 6 });
  expect(refused.stdout).toContain("terraform force-unlock left");
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
  server.unlock(path);
  expect(await place.run(words)).toMatchObject({ exit: 0 });
});

test("sends nothing to an unlisted host, and keeps the state at its place", async () => {
  const server = await openServer("terraform");
  const place = await openPlace();
  place.write(BANNER);
  await place.run("apply --yes");
  const { port } = new URL(place.sandbox.url);
  const env = { CI: "true", LINTEL_ALLOWED_HOSTS: `http://127.0.0.1:${port}` };
  const refused = await place.run(`state move --yes portal.yaml ${server.address}`, { env });
  expect(refused).toMatchObject({ exit: 4 });
  expect(refused.stdout).toMatch(/host-not-allowed/);
  expect(server.received).toEqual([]);
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
});
