// Portals that failed for one reason share the words in every command over many portals.
import { expect, test } from "vitest";
import { call } from "./call.js";
import { openFleet } from "./fleet.js";

const SETTINGS = "{ blockBetaApps: false }";
/** More than are titled with their addresses. */
const PORTALS = 5;
const NAMES = Array.from({ length: PORTALS }, (_, at) => `portal-${at + 1}`);
const HEAD = `${PORTALS} portals: ${NAMES.join(", ")}\nerror: `;

/** Each portal at a host of its own, where nothing listens. */
const unreachable = (name: string) =>
  `http://127.0.0.1:${NAMES.indexOf(name) + 1}/portal/sharing/rest`;
const STATE = 'state: "http://127.0.0.1:1/${portal.key}"';

test.each([
  ["pull portals", "not-reachable"],
  ["drift portals", "not-reachable"],
  ["status portals", "not-reachable"],
  ["plan portals", "not-reachable"],
  ["apply portals --yes", "not-reachable"],
])("%s reports hosts that cannot be reached once", async (words, code) => {
  const { text } = await failing(words, (fleet) => {
    for (const name of NAMES) fleet.write(name, { url: unreachable(name) });
  });
  expect(text.match(new RegExp(`\\[${code}\\]`, "g"))).toHaveLength(1);
  expect(text).toContain(`${HEAD}The host "127.0.0.1:1" and ${PORTALS - 1} more `);
});

test.each([
  ["rollback portals --yes", "nothing-applied"],
  ["state rm portals blockBetaApps", "nothing-applied"],
])("%s names the first file in sentences, and all in commands", async (words, code) => {
  const { text } = await failing(words);
  expect(text.match(new RegExp(`\\[${code}\\]`, "g"))).toHaveLength(1);
  expect(text).toContain(`${HEAD}No apply of "portals/portal-1.yaml" and 4 more is recorded`);
  expect(text).toContain("  lintel apply portals\n");
});

test.each([
  ["hold portals --why Migration"],
  ["unhold portals"],
  ["state show portals"],
  ["history portals"],
  ["rollback portals --yes"],
  ["state rm portals blockBetaApps"],
  ["state unlock portals --yes"],
  ["state move portals file:states --yes"],
])("%s reports states that cannot be read once", async (words) => {
  const { text } = await failing(words, (fleet) => {
    for (const name of NAMES) fleet.write(name, { more: STATE });
  });
  expect(text.match(/\[[a-z-]+\]/g)).toHaveLength(1);
  expect(text).toContain(HEAD);
});

type Fleet = Awaited<ReturnType<typeof openFleet>>;

async function failing(words: string, change: (fleet: Fleet) => void = () => {}) {
  const fleet = await openFleet(PORTALS, SETTINGS, call);
  change(fleet);
  const { exit, stdout: text } = await fleet.run(words.split(" "));
  expect(exit).not.toBe(0);
  return { text };
}
