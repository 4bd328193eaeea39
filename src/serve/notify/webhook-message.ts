// Renders events as the message of a webhook: JSON, a Teams card, or Slack blocks.
import { createHmac } from "node:crypto";
import type { Form } from "../config/schema.js";
import { eventJson, type Event } from "../events/event.js";
import { digestOfText } from "../../lib/digest.js";
import { printJson, type Json, type JsonObject } from "../../lib/json.js";
import type { Secret } from "../../secret.js";
import { counted, headOf, oneLine } from "../../lib/text.js";

export interface Message {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface MessageOptions {
  readonly form: Form;
  readonly events: readonly Event[];
  /** The events that were dropped before these. */
  readonly lost: number;
}

export function messageOf(
  { form, events, lost }: MessageOptions,
  secret: Secret | undefined,
  nowMs: number,
): Message {
  if (form === "teams") return { body: printJson(teamsCard(events, lost)), headers: {} };
  if (form === "slack") return { body: printJson(slackBlocks(events, lost)), headers: {} };
  const id = digestOfText(events.map((each) => each.id).join("\n")).slice(0, 32);
  const body = printJson({ formatVersion: 1, id, lost, events: events.map(eventJson) });
  return { body, headers: secret ? signatureOf(body, secret, nowMs) : {} };
}

/** Covers the time as well, so that a receiver can refuse a replay. */
function signatureOf(body: string, secret: Secret, nowMs: number) {
  const time = String(Math.floor(nowMs / 1000));
  const hmac = createHmac("sha256", secret.reveal()).update(`${time}.${body}`).digest("hex");
  return { "lintel-timestamp": time, "lintel-signature": `sha256=${hmac}` };
}

/** The limit of lines for people. The rest is counted. */
const MOST_SHOWN = 20;
const LONGEST = 300;

interface Line {
  readonly name: string;
  readonly text: string;
}

function linesOf(events: readonly Event[]): Line[] {
  return events.slice(0, MOST_SHOWN).map(({ about, kind, message }) => ({
    name: headOf(oneLine(about.portal.name), 100),
    text: headOf(oneLine(`${kind}: ${message}`), LONGEST),
  }));
}

function headingOf(events: readonly Event[]): string {
  const names = [...new Set(events.map(({ about }) => about.portal.name))];
  const [only = ""] = names;
  const kinds = [...new Set(events.map(({ kind }) => kind))].join(", ");
  const where = names.length === 1 ? headOf(oneLine(only), 60) : counted(names.length, "portal");
  return headOf(`${where}: ${kinds}`, 150);
}

function restOf(events: readonly Event[], lost: number): string[] {
  const left = events.length - MOST_SHOWN;
  return [
    ...(left > 0 ? [`… and ${counted(left, "more event")}.`] : []),
    ...(lost > 0 ? [`${counted(lost, "event")} before these were not delivered.`] : []),
  ];
}

/** An Adaptive Card for Teams' Workflows. A TextRun has no markup, so a name cannot contain any. */
function teamsCard(events: readonly Event[], lost: number): JsonObject {
  const run = (text: string, more: JsonObject = {}): Json => ({ type: "TextRun", text, ...more });
  const block = (...inlines: Json[]): Json => ({ type: "RichTextBlock", inlines });
  const body = [
    block(run(headingOf(events), { weight: "Bolder", size: "Medium" })),
    ...linesOf(events).map(({ name, text }) =>
      block(run(name, { weight: "Bolder" }), run(`  ${text}`)),
    ),
    ...restOf(events, lost).map((text) => block(run(text, { isSubtle: true }))),
  ];
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    msteams: { width: "Full" },
    body,
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content: card }] };
}

/** Plain text, so that a name can neither mention people nor contain links. */
function slackBlocks(events: readonly Event[], lost: number): JsonObject {
  const plain = (text: string): Json => ({ type: "plain_text", text, emoji: false });
  const section = (text: string): Json => ({ type: "section", text: plain(text) });
  const heading = headingOf(events);
  return {
    // For notifications, which show no blocks. Three characters have a meaning there.
    text: heading.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    blocks: [
      { type: "header", text: plain(heading) },
      ...linesOf(events).map(({ name, text }) => section(`${name}  ${text}`)),
      ...restOf(events, lost).map(section),
    ],
  };
}
