// lintel doctor: checks each step from a file to its portal and state, and says how to fix what fails.
import type { CommandSpec, Run } from "../command.js";
import { FLEET } from "../options.js";
import {
  portalUrlOf,
  serviceAndPortalOf,
  signInOf,
  type PortalFile,
} from "../../document/read/desired.js";
import { nodeAt } from "../../document/read/tree.js";
import { assertPermitted, credentialHostsOf } from "../../http/host-allowlist.js";
import { caught, EXIT, type Failure } from "../../failure.js";
import { readSettings, type PortalAccess } from "../../portal/portal.js";
import { readUserRole, readVersion } from "../../portal/view.js";
import { eachPortal } from "../../apply/each-portal.js";
import {
  resolvePortal,
  storeOf,
  type Member,
  type Resolved,
  type PortalContext,
} from "../../apply/portal-context.js";
import { withRightAddress } from "../../apply/plan-portal.js";
import type { RunContext } from "../../apply/run-context.js";
import { accountOf } from "../../session/sign-ins.js";
import type { DoctorFacts } from "../documents.js";
import { checkText } from "../../report/problem-text.js";
import type { Styles } from "../../report/styles.js";
import { stateHostOf, stateKindOf } from "../../state-address/kinds.js";
import { showTime, visible, zoneOf } from "../../lib/text.js";
import {
  connectionFinding,
  credentialsFinding,
  fileFinding,
  lookUpNames,
  privilegeFinding,
  readingFinding,
  versionFinding,
  type Address,
} from "./findings.js";
import { placeFinding, rememberedFinding } from "./state-findings.js";
import { openRun, resultOfRun } from "../../cli/open-run.js";
import { isBroken, resultOfOneOrMany, type Part } from "../../cli/portal-parts.js";
import { newExamination, stepsShared, stepsText, type Examination } from "./steps.js";

export const spec = {
  operands: "[FILE…]",
  options: {
    ...FLEET,
    state: { description: "Also test writing the state." },
    ci: { description: "Check the settings of the CI platform." },
  },
  formats: ["text", "json"],
  examples: [
    ["lintel doctor", "test sign-in, portal and state"],
    ["lintel doctor portals", "test them for each portal"],
    ["lintel doctor --state", "also test writing the state"],
    ["lintel doctor --ci", "check the settings of the CI platform"],
    ["lintel doctor --ca-file our-ca.pem", "trust a private CA"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  if (call.options.ci) {
    const { checkPipeline } = await import("./pipeline-settings.js");
    return checkPipeline(io, call);
  }
  const purpose = call.options.state ? "state" : "reading";
  await using run = await openRun("doctor", io, call, { purpose });
  const { files, folders } = run;
  const work = async (patient: Patient) => {
    const examined = newExamination();
    const signedIn = await examine(patient, run, examined);
    if (call.options.state) await probeState(patient, run, examined);
    return { ...examined, signedIn };
  };
  const members = await eachPortal(run, files, work, resolvePatient);
  const diagnostics = members.flatMap((each) => each.diagnostics);
  const parts = await Promise.all(members.map((each) => withFile(each, files.length)));
  const about = { command: "doctor", files, folders, diagnostics };
  return resultOfRun(run, resultOfOneOrMany(parts, about));
};

/** As much of it as is known. */
interface SignedIn {
  readonly account?: string | undefined;
  readonly role?: string | undefined;
  readonly tokenEnds?: string | undefined;
}

interface Examined extends Examination {
  readonly signedIn: SignedIn;
}

interface Patient extends Resolved {
  readonly desired: PortalFile;
  /** What a run would use, or why it cannot. */
  readonly found: { readonly value: PortalContext } | { readonly failure: Failure };
}

/** The other steps still run if the portal cannot be resolved. */
function resolvePatient(desired: PortalFile, run: RunContext): Patient {
  const { name, id, url = "" } = desired.portal;
  try {
    const value = resolvePortal(desired, run);
    const { portal, credentialHosts, identity, stateAddress } = value;
    return { desired, portal, credentialHosts, identity, stateAddress, found: { value } };
  } catch (error) {
    const failure = caught(error, run.io);
    return { desired, portal: { name, url, id }, credentialHosts: [], found: { failure } };
  }
}

/** Adds the first step, about the file. */
async function withFile(member: Member<Examined>, files: number): Promise<Member<Part>> {
  const { value, failure, ...rest } = member;
  const { file, diagnostics } = member;
  const isInvalid = isBroken(member);
  if (!value && !isInvalid) return { ...rest, ...(failure && { failure }) };
  const first = newExamination();
  await first.step("file", [], async () => [
    undefined,
    fileFinding({ file, diagnostics }, isInvalid),
  ]);
  const steps = [...first.steps, ...(value?.steps ?? [])];
  const exit = isInvalid ? first.exit() : (value?.exit() ?? EXIT.done);
  const problems = (styles: Styles) => `\n${checkText({ files: [file], diagnostics }, styles)}`;
  const part: Part = {
    exit,
    json: {
      ...jsonOf(value?.signedIn),
      steps: steps.map((step) => ({ ...step })),
    } satisfies DoctorFacts,
    // With several files, the report lists their problems above the portals.
    text: (styles) => stepsText(steps, styles) + (isInvalid && files === 1 ? problems(styles) : ""),
    shared: stepsShared(steps, file),
  };
  return { ...rest, value: part };
}

function jsonOf({ account, role, tokenEnds }: SignedIn = {}) {
  return { account: account ?? null, role: role ?? null, tokenEnds: tokenEnds ?? null };
}

async function examine(
  { desired, found, identity }: Patient,
  run: RunContext,
  { step }: Examination,
): Promise<SignedIn> {
  const { io, allowlist, http, signIns } = run;
  const signIn = await step("credentials", [], async () => {
    const given = signInOf(desired, io, identity?.key ?? "");
    return [given, credentialsFinding(given, io)];
  });
  const called = await step("address", [], async () => {
    const named = serviceAndPortalOf(desired);
    await assertPermitted(allowlist, credentialHostsOf(named.service, named.portal));
    return [named, portalUrlOf(desired)];
  });
  const addresses = called ? addressesOf(desired, called) : [];
  await step("name", ["address"], () => lookUpNames(addresses, io));
  const portal = { url: desired.portal.url ?? "", id: desired.portal.id };
  const anonymous: PortalAccess = { http, portal };
  const version = await step("connection", ["name"], async () => [
    await readVersion(anonymous).catch((error: unknown) => {
      throw withRightAddress(error, portal) ?? error;
    }),
    connectionFinding(addresses),
  ]);
  await step("version", ["connection"], async () => [
    undefined,
    versionFinding(version ?? {}, desired.target.asked),
  ]);
  // A portal without a sign-in service of its own answers both.
  const isOneHost = new Set(addresses.map(({ url }) => new URL(url).host)).size === 1;
  const reached = isOneHost ? "connection" : "name";
  const entry = await step("sign-in", ["credentials", reached], async () => {
    if (!signIn) throw new TypeError("the step needs credentials");
    const session = signIns.open(signIn);
    const endsAtMs = await session.endsAtMs();
    const tokenEnds = endsAtMs === undefined ? undefined : new Date(endsAtMs).toISOString();
    const account = await accountOf(session);
    const as = account === undefined ? "" : ` as "${account}"`;
    const ends = tokenEnds && ` The token is valid until ${showTime(tokenEnds, zoneOf(io))}.`;
    return [
      { session, account, tokenEnds },
      `Signed in with "${signIn.method}"${as}.${ends ?? ""}`,
    ];
  });
  const visit: PortalAccess = { ...anonymous, token: entry?.session.token };
  const needed = ["connection", "sign-in"];
  await step("reading", needed, async () => {
    const settings = desired.portal.mayRead ? await readSettings(visit) : undefined;
    return [undefined, readingFinding(settings)];
  });
  const standing = await step("privilege", needed, async () => {
    const shown = await readUserRole(visit);
    return [shown, privilegeFinding(shown, desired.portal.mayRead)];
  });
  const beforehand = desired.portal.url === undefined ? ["address"] : [];
  await step("state", beforehand, async () => {
    if ("failure" in found) throw found.failure;
    const portal = found.value;
    const to = stateHostOf(portal.stateAddress.address, io.env);
    const refusal = to && allowlist.refusal([{ service: to, to }]);
    if (refusal) throw refusal;
    const place = placeFinding(portal, io);
    return [undefined, rememberedFinding(place, await portal.store.read(), desired.file, io)];
  });
  return {
    account: entry?.account ?? standing?.account,
    role: standing?.role,
    tokenEnds: entry?.tokenEnds,
  };
}

async function probeState({ found }: Patient, run: RunContext, { step }: Examination) {
  await step("writing", ["state"], async () => {
    if ("failure" in found) throw found.failure;
    const store = storeOf(found.value, run);
    await store.probe();
    const place = `the state at "${visible(store.place)}"`;
    if (stateKindOf(found.value.stateAddress.address) !== "git")
      return [undefined, `Lintel can write ${place}.`];
    // A dry run of a push asks no hook.
    return [undefined, `The remote accepts a push to ${place}. Branch rules are not tested.`];
  });
}

type Called = ReturnType<typeof serviceAndPortalOf>;

/** As the file writes them. */
function addressesOf(desired: PortalFile, { service, portal }: Called): readonly Address[] {
  const node = nodeAt(desired.root, ["signIn", "url"]);
  const written = node?.kind === "scalar" ? node.written : undefined;
  const own = { url: service.href, ...(written !== undefined && { written }) };
  return service.origin === portal.origin ? [{ url: portal.href }] : [{ url: portal.href }, own];
}
