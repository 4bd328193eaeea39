// lintel doctor: checks each step from a file to its portal and state, and says how to fix what fails.
import type { CommandSpec, Result, Run } from "../command.js";
import { FLEET } from "../options.js";
import {
  portalUrlOf,
  serviceAndPortalOf,
  signInOf,
  type Desired,
} from "../../document/read/desired.js";
import { nodeAt } from "../../document/read/tree.js";
import { assertPermitted, recipientsOf } from "../../http/permits.js";
import { caught, EXIT, type Failure } from "../../failure.js";
import { readLive, type PortalAccess } from "../../portal/portal.js";
import { readStanding, readVersion } from "../../portal/view.js";
import { eachReached } from "../../run/fleet.js";
import {
  reach,
  storeOf,
  type Member,
  type Reached,
  type ReachablePortal,
  type Tools,
} from "../../run/reachable.js";
import { checkText } from "../../report/problem-text.js";
import type { Styles } from "../../report/styles.js";
import { stateRecipientOf } from "../../state-address/kinds.js";
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
import { withTools } from "../call/tools.js";
import { isBroken, resultOfOneOrMany, type Part } from "../result/members.js";
import { newExamination, stepsShared, stepsText, type Examination } from "../result/steps.js";

export const spec = {
  operands: "[FILE…]",
  options: {
    ...FLEET,
    state: { description: "Also test that the state can be written." },
  },
  formats: ["text", "json"],
  examples: [
    ["lintel doctor", "check the way to the portal"],
    ["lintel doctor portals", "check the way to each portal"],
    ["lintel doctor --state", "also write and remove a probe of the state"],
    ["lintel doctor --ca-file our-ca.pem", "trust a private CA"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const work = async (tools: Tools, files: readonly string[]): Promise<Result> => {
    const reaching = { concurrency: call.options.concurrency, reach: reachPatient };
    const members = await eachReached(files, tools, reaching, async (patient) => {
      const examined = newExamination();
      await examine(patient, tools, examined);
      if (call.options.state) await probeState(patient, tools, examined);
      return examined;
    });
    const diagnostics = members.flatMap((each) => each.diagnostics);
    const told = await Promise.all(members.map((each) => withFile(each, files.length)));
    return resultOfOneOrMany(told, { command: "doctor", files, diagnostics });
  };
  const purpose = call.options.state ? "state" : "reading";
  return withTools("doctor", io, call, work, { purpose });
};

interface Patient extends Reached {
  readonly desired: Desired;
  /** What a run would use, or why it cannot. */
  readonly found: { readonly value: ReachablePortal } | { readonly failure: Failure };
}

/** The other steps still run if the portal cannot be resolved. */
function reachPatient(desired: Desired, tools: Tools): Patient {
  const { name, id, url = "" } = desired.portal;
  try {
    const value = reach(desired, tools);
    const { portal, recipients, identity, stateAddress } = value;
    return { desired, portal, recipients, identity, stateAddress, found: { value } };
  } catch (error) {
    const failure = caught(error, tools.io);
    return { desired, portal: { name, url, id }, recipients: [], found: { failure } };
  }
}

/** Adds the first step, about the file. */
async function withFile(member: Member<Examination>, files: number): Promise<Member<Part>> {
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
  const problems = (paint: Styles) => `\n${checkText({ files: [file], diagnostics }, paint)}`;
  const part: Part = {
    exit,
    json: { steps: steps.map((step) => ({ ...step })) },
    // With several files, the report lists their problems above the portals.
    text: (paint) => stepsText(steps, paint) + (isInvalid && files === 1 ? problems(paint) : ""),
    shared: stepsShared(steps, file),
  };
  return { ...rest, value: part };
}

async function examine({ desired, found }: Patient, tools: Tools, { step }: Examination) {
  const { io, permits, http, signIns } = tools;
  const signIn = await step("credentials", [], async () => {
    const given = signInOf(desired, io);
    return [given, credentialsFinding(given, io)];
  });
  const called = await step("address", [], async () => {
    const named = serviceAndPortalOf(desired);
    await assertPermitted(permits, recipientsOf(named.service, named.portal));
    return [named, portalUrlOf(desired)];
  });
  const addresses = called ? addressesOf(desired, called) : [];
  await step("name", ["address"], () => lookUpNames(addresses, io));
  const portal = { url: desired.portal.url ?? "", id: desired.portal.id };
  const anonymous: PortalAccess = { http, portal };
  const version = await step("connection", ["name"], async () => [
    await readVersion(anonymous),
    connectionFinding(addresses),
  ]);
  await step("version", ["connection"], async () => [
    undefined,
    versionFinding(version ?? {}, desired.target.asked),
  ]);
  const session = await step("sign-in", ["credentials", "name"], async () => {
    if (!signIn) throw new TypeError("the step needs credentials");
    const opened = signIns.open(signIn);
    const endsAtMs = await opened.endsAtMs();
    const ends = endsAtMs && showTime(new Date(endsAtMs).toISOString(), zoneOf(io));
    return [
      opened,
      `Signed in with "${signIn.method}"${ends ? `. The token is valid until ${ends}` : ""}.`,
    ];
  });
  const visit: PortalAccess = { ...anonymous, token: session?.token };
  const needed = ["connection", "sign-in"];
  await step("reading", needed, async () => {
    const settings = desired.portal.mayRead ? await readLive(visit) : undefined;
    return [undefined, readingFinding(settings)];
  });
  await step("privilege", needed, async () => {
    const standing = await readStanding(visit);
    return [undefined, privilegeFinding(standing, desired.portal.mayRead)];
  });
  const beforehand = desired.portal.url === undefined ? ["address"] : [];
  await step("state", beforehand, async () => {
    if ("failure" in found) throw found.failure;
    const portal = found.value;
    const to = stateRecipientOf(portal.stateAddress.address, io.env);
    const refusal = to && permits.refusal([{ service: to, to }]);
    if (refusal) throw refusal;
    const place = placeFinding(portal, io);
    return [undefined, rememberedFinding(place, await portal.store.read(), desired.file, io)];
  });
}

async function probeState({ found }: Patient, tools: Tools, { step }: Examination) {
  await step("writing", ["state"], async () => {
    if ("failure" in found) throw found.failure;
    const store = storeOf(found.value, tools);
    await store.probe();
    return [undefined, `Lintel can write the state at "${visible(store.place)}".`];
  });
}

type Called = ReturnType<typeof serviceAndPortalOf>;

/** As the file writes them. */
function addressesOf(desired: Desired, { service, portal }: Called): readonly Address[] {
  const node = nodeAt(desired.root, ["signIn", "url"]);
  const written = node?.kind === "scalar" ? node.written : undefined;
  const own = { url: service.href, ...(written !== undefined && { written }) };
  return service.origin === portal.origin ? [{ url: portal.href }] : [{ url: portal.href }, own];
}
