// The history of a portal whose state is in a database: what its state holds no more is told as well.
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.js";
import { databasePlace } from "../state/postgres-place.js";
import { openPlace } from "./place.js";

test("of a state that was lost is told with what was applied since, the newest first", async () => {
  const { address, admin, schema } = await databasePlace();
  const env = { LINTEL_ALLOWED_HOSTS: "http://127.0.0.1:*,postgres://127.0.0.1:*" };
  const place = await openPlace();
  const apply = async (text: string) => {
    const settings = `settings: { informationalBanner: { text: ${text}, enabled: true } }\n`;
    place.write(`${settings}state: ${address}\n`);
    expect(await place.run("apply --yes", { env })).toMatchObject({ exit: 0 });
  };
  await apply("One");
  await apply("Two");
  await admin((ask) => ask(`DELETE FROM ${schema}.state`));
  await apply("Three");
  const { stdout } = await place.run("state history --output json", { env });
  const told = JSON.parse(stdout) as { history: readonly { serial: number; live?: JsonObject }[] };
  expect(told.history.map(({ serial, live }) => [serial, live !== undefined])).toEqual([
    [2, false],
    [4, false],
    [2, true],
  ]);
  const text = (await place.run("state history", { env })).stdout;
  const [three, two, one] = ["Three", "Two", "One"].map((word) => text.indexOf(`→ "${word}"`));
  expect([0 < (three ?? -1), (three ?? 0) < (two ?? 0), (two ?? 0) < (one ?? 0)]).toEqual([
    true,
    true,
    true,
  ]);
});
