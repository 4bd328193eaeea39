// Webhooks: grouping, signatures, retries, and that a broken one delays nothing else.
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHook, writeConfig } from "./hooks.js";
import { eventOf, knownOf } from "./events/contract.js";
import { openNight } from "./night.js";
import { EVENTS } from "../../src/serve/config/schema.js";
import { openMemoryStore } from "../../src/serve/events/event-store.js";
import { helpHere } from "../../src/serve/events/portal-events.js";
import { openWebhookSender } from "../../src/serve/notify/webhook-sender.js";
import { ioFor } from "../run/call.js";

const START = Date.parse("2026-06-15T12:00:00Z");
const MINUTE_MS = 60_000;
const DAY = 24 * 60;
const after = (minutes: number) => START + minutes * MINUTE_MS;
const WELCOME = "settings: { informationalBanner: { text: Welcome, enabled: true } }\n";
const HELLO = WELCOME.replace("Welcome", "Hello");
const SECRET = "correct-horse-battery-staple";

async function openDay(portals = 1) {
  const night = await openNight(START, { portals });
  const hook = await openHook(night);
  const other = await openHook(night);
  night.env["LINTEL_WEBHOOK_SECRET"] = SECRET;
  night.env["LINTEL_WEBHOOK_OTHER"] = `${other.url}/very-secret-path`;
  const write = (number: number, rest = WELCOME) =>
    night.write(`portals/${number}.yaml`, `portal-${number}`, rest);
  for (let number = 1; number <= portals; number++) write(number);
  expect(await night.run("apply portals --yes -q")).toMatchObject({ exit: 0 });
  const notify = (...webhooks: string[]) =>
    writeConfig(
      night,
      `files: [portals]\nevery: 10m\nnotify:\n${webhooks.map((each) => `  - ${each}\n`).join("")}`,
    );
  const byHand = (text: string, number = 1) =>
    night.sandbox.change(`portal-${number}`, { informationalBanner: { text, enabled: true } });
  const serve = (until: number, ...more: Parameters<typeof night.serve>[2][]) =>
    night.serve(["--data", "data", "--apply", "files"], after(until), ...more);
  const plain = (more = "") => `{ name: operators, url: "${hook.url}/events"${more} }`;
  return { ...night, writeAs: night.write, hook, other, write, notify, byHand, serve, plain };
}

test("groups the events of a minute, and sends only the kinds asked for", async () => {
  const day = await openDay(3);
  day.notify(day.plain(), `{ name: few, url: "${day.other.url}", events: [failed] }`);
  const told = await day.serve(60, [
    [after(20), () => [1, 2, 3].forEach((number) => day.write(number, HELLO))],
    [after(40), () => day.byHand("Mine")],
  ]);
  expect(day.hook.posted).toHaveLength(2);
  const heard = day.hook.heard();
  expect(heard.map(({ event }) => event)).toEqual(["applied", "applied", "applied", "drift"]);
  expect(heard.map(({ id }) => id)).toEqual(told.flatMap(({ id }) => id ?? []));
  for (const { time, atMs } of heard)
    expect(atMs - Date.parse(time)).toBeLessThanOrEqual(MINUTE_MS);
  expect(day.other.posted).toEqual([]);
});

test("signs the time and every byte of JSON, as the manual describes", async () => {
  const day = await openDay();
  day.notify(day.plain(", secret: '${env:LINTEL_WEBHOOK_SECRET}'"));
  const told = await day.serve(30, [[after(10), () => day.byHand("Mine")]]);
  const [posted] = day.hook.posted;
  const { "lintel-timestamp": time, "lintel-signature": signature } = posted?.headers ?? {};
  expect(Number(time)).toBe(Math.floor((posted?.atMs ?? 0) / 1000));
  const hmac = createHmac("sha256", SECRET)
    .update(`${String(time)}.${posted?.body}`)
    .digest("hex");
  expect(signature).toBe(`sha256=${hmac}`);
  expect(JSON.parse(posted?.body ?? "")).toMatchObject({
    formatVersion: 1,
    lost: 0,
    events: [{ event: "drift", portal: { name: "1", file: "portals/1.yaml" }, help: null }],
  });
  expect(JSON.stringify(told) + posted?.body).not.toContain(SECRET);
});

test("sends plain text to Teams and Slack for any portal name", async () => {
  const day = await openDay();
  // Where a file says no name, its own is the portal's.
  rmSync(join(day.folder, "portals/1.yaml"));
  day.writeAs("portals/<!channel> *north*.yaml", "portal-1", WELCOME);
  day.notify(
    "{ name: teams, form: teams, url: '${env:LINTEL_WEBHOOK_OTHER}' }",
    "{ name: slack, form: slack, url: '${env:LINTEL_WEBHOOK_OTHER}' }",
  );
  await day.serve(30, [[after(10), () => day.byHand("Mine")]]);
  const bodies = day.other.posted.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  const teams = bodies.find((body) => "attachments" in body);
  const slack = bodies.find((body) => "blocks" in body);
  expect(teams).toMatchObject({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        content: {
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            {
              type: "RichTextBlock",
              inlines: [{ type: "TextRun", text: "<!channel> *north*: drift", weight: "Bolder" }],
            },
            { type: "RichTextBlock", inlines: [{ type: "TextRun" }, { type: "TextRun" }] },
          ],
        },
      },
    ],
  });
  expect(slack).toMatchObject({
    text: "&lt;!channel&gt; *north*: drift",
    blocks: [
      {
        type: "header",
        text: { type: "plain_text", text: "<!channel> *north*: drift", emoji: false },
      },
      {
        type: "section",
        text: {
          type: "plain_text",
          text: '<!channel> *north*  drift: Changed on the portal: "informationalBanner.text".',
        },
      },
    ],
  });
});

test("retries a webhook that is down less and less often; checks and other webhooks continue", async () => {
  const day = await openDay();
  day.notify(day.plain(), `{ name: other, url: "${day.other.url}" }`);
  day.hook.answers(500);
  const told = await day.serve(3 * 60, [
    [after(10), () => day.byHand("Mine")],
    [after(60), () => day.write(1, HELLO.replace("enabled: true", "enabled: false"))],
    [after(2 * 60), () => day.hook.answers(200)],
  ]);
  const tries = day.hook.posted.filter(({ status }) => status === 500);
  expect(tries.length).toBeGreaterThan(6);
  expect(tries.length).toBeLessThan(18);
  const ids = day.other.heard().map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(2);
  expect(day.hook.heard().map(({ id }) => id)).toEqual(ids);
  const late = day.other.heard().map(({ time, atMs }) => atMs - Date.parse(time));
  expect(Math.max(...late)).toBeLessThanOrEqual(MINUTE_MS);
  const notices = told.filter(({ event }) => event === "notice").map(({ message }) => message);
  expect(notices).toEqual([
    'The webhook "operators" failed and is retried: The webhook "operators" answered 500.',
    'The webhook "operators" works again.',
  ]);
});

test("honours Retry-After with any status", async () => {
  for (const status of [429, 503]) {
    const day = await openDay();
    day.notify(day.plain());
    day.hook.answers(status, { "retry-after": "7200" });
    const told = await day.serve(180, [
      [after(10), () => day.byHand("Mine")],
      [after(60), () => day.hook.answers(200)],
    ]);
    // It tries again by itself, and asks nobody to.
    expect(JSON.stringify(told)).not.toContain("run the command again");
    const [first, second, ...more] = day.hook.posted;
    expect(more).toEqual([]);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(120 * MINUTE_MS);
  }
});

test("gives up events after three days, reports it, and sends later ones", async () => {
  const day = await openDay();
  day.notify(day.plain());
  day.hook.answers(404);
  await day.serve(20, [[after(5), () => day.byHand("Mine")]]);
  day.clock.nowMs = after(4 * DAY);
  const told = await day.serve(4 * DAY + 60, [
    [after(4 * DAY + 20), () => day.byHand("Yours")],
    [after(4 * DAY + 21), () => day.hook.answers(200)],
  ]);
  const notices = told.filter(({ event }) => event === "notice").map(({ message }) => message);
  expect(notices[1]).toBe(
    'The webhook "operators" does not get 1 event that it did not accept for 3 days.',
  );
  const bodies = day.hook.posted.flatMap(({ status, body }) => (status === 200 ? [body] : []));
  expect(bodies.map((body) => JSON.parse(body) as unknown)).toMatchObject([
    { lost: 1, events: [{ event: "drift" }] },
  ]);
});

test("the next run sends what the last one could not, and nothing twice", async () => {
  const day = await openDay();
  day.notify(day.plain());
  day.hook.answers(500);
  await day.serve(30, [[after(10), () => day.byHand("Mine")]]);
  day.hook.answers(200);
  await day.serve(60);
  await day.serve(90);
  expect(day.hook.heard().map(({ event }) => event)).toEqual(["drift"]);
});

test("splits a message that is too long", async () => {
  const day = await openDay(5);
  day.notify(day.plain());
  day.hook.answers(({ body }) => ({ status: eventsIn(body) > 2 ? 413 : 200 }));
  await day.serve(20, [
    [after(10), () => [1, 2, 3, 4, 5].forEach((number) => day.write(number, HELLO))],
  ]);
  expect(day.hook.posted.map(({ body, status }) => `${eventsIn(body)} ${status}`)).toEqual([
    "5 413",
    "2 200",
    "3 413",
    "1 200",
    "2 200",
  ]);
});

test("a clock that is put back by a day delays no event", async () => {
  const stop = new AbortController();
  let [nowMs, slept] = [START, 0];
  const store = openMemoryStore();
  await store.register(["operators"]);
  const event = { ...eventOf("a"), timeMs: START - MINUTE_MS };
  await store.record("north", knownOf("north", "0"), [event]);
  const posted: number[] = [];
  const io = {
    ...ioFor({ cwd: ".", signal: stop.signal }).io,
    now: () => nowMs,
    random: () => 0.5,
    sleep: async () => {
      nowMs = START - DAY * MINUTE_MS;
      if (++slept === 2) stop.abort();
    },
  };
  const call = async () => {
    posted.push(nowMs);
    return { status: posted.length === 1 ? 500 : 200, headers: {}, text: "" };
  };
  const http = { call } as unknown as Parameters<typeof openWebhookSender>[0]["http"];
  const url = "https://hooks.example.org/lintel";
  const notify = [{ name: "operators", form: "json", events: EVENTS, url }] as const;
  await openWebhookSender({ io, store, http, notify, report: () => {} }).run();
  expect(posted).toEqual([START, START - DAY * MINUTE_MS]);
});

test("leaves out advice to run the command again", () => {
  const help = "Check the address, then run the command again.";
  expect(helpHere({ code: "no-answer", help })).toBe("Check the address.");
  expect(helpHere({ code: "too-many-requests", help })).toBeUndefined();
});

const eventsIn = (body: string) =>
  (JSON.parse(body) as { readonly events: unknown[] }).events.length;

test("shows a secret address in no line, message or stored file", async () => {
  const day = await openDay();
  day.notify("{ name: teams, form: teams, url: '${env:LINTEL_WEBHOOK_OTHER}' }");
  day.other.answers(500);
  const told = await day.serve(60, [[after(10), () => day.byHand("Mine")]]);
  const kept = readdirSync(join(day.folder, "data"), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
  expect(kept.join("")).toContain('"kind":"drift"');
  expect(day.other.posted.length).toBeGreaterThan(0);
  expect(JSON.stringify(told) + kept.join("")).not.toContain("very-secret-path");
});

test("a webhook on a host that is not allowed stops the run at its start", async () => {
  const day = await openDay();
  day.notify("{ name: operators, url: 'https://hooks.example.org/lintel' }");
  day.env["LINTEL_ALLOWED_HOSTS"] = "http://127.0.0.1:*";
  const said = await day.run("serve --data data");
  expect(said).toMatchObject({ exit: 4, stdout: "" });
  expect(said.stderr).toContain('Credentials may not go to "hooks.example.org"');
  expect(day.hook.posted).toEqual([]);
});

test("refuses a secret address in the spelling of the file", async () => {
  const day = await openDay();
  day.notify(day.plain(), "{ name: teams, form: teams, url: '${env:LINTEL_WEBHOOK_HIDDEN}' }");
  day.env["LINTEL_WEBHOOK_HIDDEN"] = "https://hidden-host.example.net:8443/very-secret-path";
  // A list that names the host, and not its port, is told so of an address that is no secret.
  for (const list of ["http://127.0.0.1:*", "http://127.0.0.1:*,hidden-host.example.net", ""]) {
    day.env["LINTEL_ALLOWED_HOSTS"] = list;
    const said = await day.run("serve --data data");
    expect(said).toMatchObject({ exit: 4, stdout: "" });
    expect(said.stderr).toContain('"${env:LINTEL_WEBHOOK_HIDDEN}"');
    expect(said.stderr.replaceAll(list, "")).not.toMatch(/hidden-host|very-secret/);
  }
});

test("names a webhook that redirects in the spelling of the file", async () => {
  const day = await openDay();
  day.notify("{ name: teams, form: teams, url: '${env:LINTEL_WEBHOOK_OTHER}' }");
  day.other.answers(302, { location: "/very-secret-path/elsewhere" });
  const told = await day.serve(60, [[after(10), () => day.byHand("Mine")]]);
  const notices = told.filter(({ event }) => event === "notice").map(({ message }) => message);
  expect(notices.join()).toContain('"${env:LINTEL_WEBHOOK_OTHER}" redirects instead of answering');
  expect(JSON.stringify(told)).not.toContain(new URL(day.other.url).host);
});
