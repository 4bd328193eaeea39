// lintel whoami: files → the accounts that they sign in with: who each is, asked once, and when its token ends.
import type { CommandSpec, Run } from "./command.js";
import { FLEET } from "./options.js";
import {
  portalUrlOf,
  serviceAndPortalOf,
  signInOf,
  type Desired,
} from "../document/read/desired.js";
import { isJsonObject, type Json, type JsonObject } from "../lib/json.js";
import { assertPermitted, recipientsOf } from "../http/permits.js";
import { readSelf } from "../portal/portal.js";
import { withoutEchoes, visible } from "../lib/text.js";
import { secretsOf } from "../request.js";
import type { Styles } from "../report/styles.js";
import type { Session } from "../session/sign-ins.js";
import { eachReached } from "../run/fleet.js";
import type { Reached, Tools } from "../run/reachable.js";
import { withTools } from "./call/tools.js";
import { resultOfOneOrMany, type Part } from "./result/members.js";

export const spec = {
  operands: "[FILE…]",
  options: FLEET,
  formats: ["text", "json"],
  examples: [
    ["lintel whoami", "use the signIn of portal.yaml"],
    ["lintel whoami portals", "show each account once"],
    ["lintel whoami --verbose", "log each request"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const work = async (tools: Tools, files: readonly string[]) => {
    const asked = new Map<object, Promise<Part>>();
    const reaching = { concurrency: call.options.concurrency, reach: reachAccount };
    const members = await eachReached(files, tools, reaching, async ({ desired, recipients }) => {
      const signIn = signInOf(desired, io);
      await assertPermitted(tools.permits, recipients);
      const session = tools.signIns.open(signIn);
      const answer = asked.get(session.account) ?? ask(desired, signIn.method, session, tools);
      asked.set(session.account, answer);
      return answer;
    });
    return resultOfOneOrMany(members, { command: "whoami", files });
  };
  return withTools("whoami", io, call, work);
};

interface AccountInUse extends Reached {
  readonly desired: Desired;
}

/** Nothing but who may sign in; nobody asks for a state. */
function reachAccount(desired: Desired, { io }: Tools): AccountInUse {
  const { name, id, url = "" } = desired.portal;
  // What is missing to sign in goes before what is wrong with the addresses.
  signInOf(desired, io);
  const { service, portal } = serviceAndPortalOf(desired);
  return { desired, portal: { name, url, id }, recipients: recipientsOf(service, portal) };
}

async function ask(
  desired: Desired,
  method: string,
  session: Session,
  tools: Tools,
): Promise<Part> {
  const endsAtMs = await session.endsAtMs();
  const user = await userOf(desired, session, tools);
  const ends = endsAtMs === undefined ? null : new Date(endsAtMs).toISOString();
  const json = { method, user: namesOf(user), tokenEnds: ends };
  return { json, text: (paint) => whoText(json, endsAtMs, tools.io.now(), paint) };
}

/** As the sign-in service knows the user; as the portal does, where the portal itself gives the token. */
async function userOf(desired: Desired, session: Session, { http }: Tools): Promise<JsonObject> {
  if (session.whoAmI) return session.whoAmI();
  const portal = { url: portalUrlOf(desired), id: desired.portal.id };
  const { user } = await readSelf({ http, portal, token: session.token });
  const signed = await session.token({ url: portal.url, repeats: "freely" });
  return isJsonObject(user) ? withoutEchoes(user, secretsOf(signed)) : {};
}

/** What tells a person who it is. The objects hold far more, and not all of it is for a log. */
const TELLING = "FullName PrimaryEmail UID ReferenceID IsActive username fullName email role".split(
  " ",
);

function namesOf(user: JsonObject): JsonObject {
  const told = TELLING.filter((name) => isPlain(user[name])).map((name) => [name, user[name]]);
  return Object.fromEntries(told) as JsonObject;
}

function isPlain(value: Json | undefined): boolean {
  return value !== undefined && value !== null && typeof value !== "object" && value !== "";
}

function whoText(
  { method, user }: { readonly method: string; readonly user: JsonObject },
  endsAtMs: number | undefined,
  now: number,
  paint: Styles,
): string {
  const rows = Object.entries(user);
  if (rows.length === 0) rows.push(["user", "signed in; the answer names nobody"]);
  const end = endText(endsAtMs, now, paint);
  return [["signed in by", method] as const, ...rows, ["token ends", end] as const]
    .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)])
    .map(([name = "", text = ""]) => `${name.padEnd(14)}${visible(text)}\n`)
    .join("");
}

function endText(endsAtMs: number | undefined, now: number, { time }: Styles): string {
  if (endsAtMs === undefined) return "the token does not tell";
  const minutes = Math.round((endsAtMs - now) / 60_000);
  const left =
    minutes < 0 ? "over" : minutes < 120 ? `in ${minutes} min` : `in ${Math.round(minutes / 60)} h`;
  return `${time(new Date(endsAtMs).toISOString())} (${left})`;
}
