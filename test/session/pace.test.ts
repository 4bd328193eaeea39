// Sixty-one sign-ins within a minute: refused to whoever does not wait, and done in peace through session/.
import { expect, test } from "vitest";
import { findOperation } from "../../src/catalog/catalog.js";
import { openHttp } from "../../src/http/http.js";
import { secret } from "../../src/secret.js";
import { openSignIns } from "../../src/session/sign-ins.js";
import { makeRun } from "../support/network.js";
import { openSandbox } from "../support/sandbox.js";

const { path, limit } = findOperation("loginadmin");
const calls = limit?.calls ?? 0;

test("the 61st sign-in from one address within the span gets 429", async () => {
  const run = makeRun();
  const sandbox = await openSandbox({ now: () => run.now() });
  const signIn = async () => {
    const body = JSON.stringify({ BEID: sandbox.beid, WebServicesKey: sandbox.webServicesKey });
    const headers = { "content-type": "application/json" };
    return (await fetch(sandbox.signInUrl + path, { method: "POST", body, headers })).status;
  };
  const statuses: number[] = [];
  for (let n = 0; n <= calls; n++) statuses.push(await signIn());
  expect(calls).toBe(60);
  expect(statuses).toEqual([...Array<number>(60).fill(200), 429]);
});

test("61 accounts sign in through session/ without an error and without ever being refused", async () => {
  const run = makeRun();
  const sandbox = await openSandbox({ now: () => run.now() });
  const statuses: (number | undefined)[] = [];
  const http = openHttp(run.io, { trace: ({ status }) => statuses.push(status) });
  const notices: string[] = [];
  const signIns = openSignIns(run.io, http, { notice: (sentence) => notices.push(sentence) });
  const portals = Array.from({ length: calls + 1 }, (_, n) => ({
    method: "loginadmin" as const,
    carry: "authorization" as const,
    // One account under names that differ, so that none of them shares a token.
    fields: {
      url: `${sandbox.signInUrl}${"/".repeat(n)}`,
      beid: secret(sandbox.beid),
      webServicesKey: secret(sandbox.webServicesKey),
    },
    portalUrl: sandbox.portalUrl,
  }));
  const requests = await Promise.all(
    portals.map((signIn) =>
      signIns.open(signIn).token({ url: sandbox.portalUrl, repeats: "freely" }),
    ),
  );
  await http.close();
  expect(requests).toHaveLength(61);
  expect(statuses).toEqual(Array(61).fill(200));
  expect(notices.join()).toMatch(/wait/i);
  expect(run.slept.length).toBeGreaterThan(0);
});
