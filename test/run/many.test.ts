// Processes that apply different files to one portal at the same time: one after the other, and nobody is lost.
import { expect, test } from "vitest";
import { lintel } from "../support/run.js";
import { openPlace } from "./place.js";

const NAMES = Array.from({ length: 10 }, (_, at) => `Text ${at}`);

test("ten at once wait for each other, and each is written down", async () => {
  const place = await openPlace({}, { informationalBanner: { text: "Before", enabled: true } });
  for (const text of NAMES) {
    place.write(`settings: { informationalBanner: { text: ${text} } }\n`, { name: `${text}.yaml` });
  }
  const ran = await Promise.all(
    NAMES.map((text) =>
      lintel(["apply", `${text}.yaml`, "--yes", "--wait", "300"], {
        cwd: place.folder.path,
        env: place.env,
      }),
    ),
  );
  expect(ran.map(({ exit, stderr }) => (exit === 0 ? exit : stderr))).toEqual(NAMES.map(() => 0));

  const { serial, history = [], journal } = place.state() ?? {};
  expect(journal).toBeUndefined();
  // One write before each request, and one after it.
  expect(serial).toBe(2 * NAMES.length);
  expect(history.map((entry) => entry.serial)).toEqual(NAMES.map((_, at) => 2 * (at + 1)));
  const texts = history.map(({ changes: [change] }) => change?.after);
  expect(texts.map(String).toSorted()).toEqual(NAMES);
  // Each saw what the one before had left, so that nobody looked or sent while another one was at it.
  const seen = history.map(({ changes: [change] }) => change?.before);
  expect(seen).toEqual(["Before", ...texts.slice(0, -1)]);
  expect(history.map(({ live }) => live?.before)).toEqual([
    { informationalBanner: { text: "Before", enabled: true } },
    ...history.slice(0, -1).map(({ live }) => live?.after),
  ]);
  const sent = place
    .updates()
    .map(({ body }) => new URLSearchParams(body).get("informationalBanner"));
  expect(sent.map((value) => (JSON.parse(value ?? "{}") as { text?: string }).text)).toEqual(texts);
  expect(place.sandbox.settings()).toEqual(history.at(-1)?.live?.after);
});
