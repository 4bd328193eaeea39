// What the dashboard of `lintel serve --queue` answers while the database is away.
import { expect, test } from "vitest";
import { restartPostgres, stopPostgres } from "../../support/postgres.js";
import { openMachines, pageOf, until } from "./machines.js";

test("each page answers during an outage, and shows that it is out of date", async () => {
  const machines = await openMachines(1);
  const { server, begin, want, shown } = machines;
  want("text-1");
  const serve = begin("serve", "portals", "--port", "0");
  const page = await pageOf(serve);
  const worker = begin("worker", "--apply", "files");
  await until(() => shown("portal-1") === "text-1");
  const ask = async (path: string) => {
    const answer = await fetch(`${page}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  const api = async () => JSON.parse((await ask("/api/portals")).text) as Api;
  await until(async () => (await api()).portals.length === 1);
  const [portal] = (await api()).portals;
  const pages = ["/", "/rollout", "/calendar", `/portals/${portal?.key}`];
  const ofDatabase = ["/activity", "/workers"];
  for (const path of [...pages, ...ofDatabase]) {
    const { status, text } = await ask(path);
    expect([path, status, text.includes("Database unreachable")]).toEqual([path, 200, false]);
  }
  expect((await api()).databaseUnreachableSince).toBeNull();

  stopPostgres(server.folder);
  await until(async () => (await ask("/readyz")).status === 503);
  for (const path of pages) {
    const { status, text } = await ask(path);
    expect([path, status, text.includes("Database unreachable since")]).toEqual([path, 200, true]);
  }
  for (const path of ofDatabase) {
    const { status, text } = await ask(path);
    expect([path, status, text.includes("Database unreachable since")]).toEqual([path, 503, true]);
  }
  expect((await api()).databaseUnreachableSince).toMatch(/^20/);
  expect((await ask("/healthz")).status).toBe(200);

  await restartPostgres(server);
  await until(async () => (await ask("/readyz")).status === 200);
  for (const path of [...pages, ...ofDatabase]) {
    const { status, text } = await ask(path);
    expect([path, status, text.includes("Database unreachable")]).toEqual([path, 200, false]);
  }
  for (const { child } of [serve, worker]) child.kill("SIGTERM");
  expect(await Promise.all([serve, worker].map((each) => each.ended()))).toEqual([0, 0]);
  for (const { said } of [serve, worker]) expect(said()).toContain("Stopping.");
});

interface Api {
  readonly databaseUnreachableSince: string | null;
  readonly portals: readonly { readonly key: string }[];
}
