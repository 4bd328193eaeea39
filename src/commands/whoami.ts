// lintel whoami: files → the accounts that they sign in with: who each is, asked once, and when its token ends.
import type { CommandSpec, Run } from "./command.js";
import { FLEET } from "./options.js";
import {
  portalUrlOf,
  serviceAndPortalOf,
  signInOf,
  type PortalFile,
} from "../document/read/desired.js";
import { isJsonObject, type Json, type JsonObject } from "../lib/json.js";
import { assertPermitted, credentialHostsOf } from "../http/host-allowlist.js";
import { readSelf } from "../portal/portal.js";
import { withoutEchoes, visible } from "../lib/text.js";
import { secretsOf } from "../request.js";
import type { Styles } from "../report/styles.js";
import type { Session } from "../session/sign-ins.js";
import { eachPortal } from "../apply/each-portal.js";
import type { Resolved } from "../apply/portal-context.js";
import type { RunContext } from "../apply/run-context.js";
import { openRun, withLeftOut } from "../cli/open-run.js";
import { resultOfOneOrMany, type Part } from "../cli/portal-parts.js";

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
  await using run = await openRun("whoami", io, call);
  const { files } = run;
  const asked = new Map<object, Promise<Part>>();
  const askOnce = async ({ desired, credentialHosts }: AccountInUse) => {
    const signIn = signInOf(desired, run.io);
    await assertPermitted(run.allowlist, credentialHosts);
    const session = run.signIns.open(signIn);
    const answer = asked.get(session.account) ?? ask(desired, signIn.method, session, run);
    asked.set(session.account, answer);
    return answer;
  };
  const members = await eachPortal(run, files, askOnce, resolveAccount);
  return withLeftOut(run, resultOfOneOrMany(members, { command: "whoami", files }));
};

interface AccountInUse extends Resolved {
  readonly desired: PortalFile;
}

/** Nothing but who may sign in; nobody asks for a state. */
function resolveAccount(desired: PortalFile, { io }: RunContext): AccountInUse {
  const { name, id, url = "" } = desired.portal;
  // What is missing to sign in goes before what is wrong with the addresses.
  signInOf(desired, io);
  const { service, portal } = serviceAndPortalOf(desired);
  return {
    desired,
    portal: { name, url, id },
    credentialHosts: credentialHostsOf(service, portal),
  };
}

async function ask(
  desired: PortalFile,
  method: string,
  session: Session,
  run: RunContext,
): Promise<Part> {
  const endsAtMs = await session.endsAtMs();
  const user = await userOf(desired, session, run);
  const ends = endsAtMs === undefined ? null : new Date(endsAtMs).toISOString();
  const json = { method, user: namesOf(user), tokenEnds: ends };
  return { json, text: (paint) => whoText(json, endsAtMs, run.io.now(), paint) };
}

/** As the sign-in service knows the user; as the portal does, where the portal itself gives the token. */
async function userOf(
  desired: PortalFile,
  session: Session,
  { http }: RunContext,
): Promise<JsonObject> {
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
