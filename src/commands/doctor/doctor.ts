// lintel doctor: a file → step by step, what works on the way to its portal, and what to do about what does not.
import type { Run, Words } from "../command.js";
import { UNWATCHED } from "../../progress.js";
import { NETWORK } from "../options.js";
import {
  portalUrlOf,
  serviceAndPortalOf,
  signInOf,
  type Desired,
} from "../../document/read/desired.js";
import { nodeAt } from "../../document/read/tree.js";
import { assertPermitted, recipientsOf } from "../../http/permits.js";
import type { Io } from "../../io.js";
import { readLive, readSelf, type PortalAccess } from "../../portal/portal.js";
import { readVersion } from "../../portal/view.js";
import { outcomeOf } from "../../run/fleet.js";
import { reach } from "../../run/reachable.js";
import { type Paint } from "../../report/text/paint.js";
import { stateRecipientOf } from "../../state-address/kinds.js";
import { showTime, zoneOf } from "../../text.js";
import { checkText } from "../../report/text/diagnostic.js";
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
import { withNetwork, type Network } from "../call/network.js";
import { readOneFile, toolsOf } from "../call/tools.js";
import { newExamination, stepsText, type Examination } from "../result/steps.js";

export const words = {
  operands: "[FILE]",
  options: NETWORK,
  formats: ["text", "json"],
  examples: [
    ["lintel doctor", "what works on the way to the portal"],
    ["lintel doctor portals/staging.yaml --ca-file our-ca.pem", "with a private authority"],
  ],
} as const satisfies Words;

export const run: Run<typeof words.options> = async (io, call) => {
  const { desired, ...checked } = await readOneFile("doctor", io, call);
  const examined = newExamination();
  await examined.step("file", [], async () => [undefined, fileFinding(checked)]);
  if (desired) {
    await withNetwork(io, call, "reading", (network) => examine(desired, io, network, examined));
  }
  const { steps } = examined;
  const { file, diagnostics } = checked;
  const outcome = {
    command: "doctor",
    exit: examined.exit(),
    diagnostics,
    more: { steps: steps.map((step) => ({ ...step })) },
  };
  const problems = (paint: Paint) => `\n${checkText({ files: [file], diagnostics }, paint)}`;
  return { outcome, text: (paint) => stepsText(steps, paint) + (desired ? "" : problems(paint)) };
};

async function examine(desired: Desired, io: Io, network: Network, { step }: Examination) {
  // All hosts are noted before the first question, so that a person is asked once.
  const tools = toolsOf("doctor", { io, progress: UNWATCHED }, network, [desired.file]);
  const reached = await outcomeOf(async () => reach(desired, tools), tools);
  if ("value" in reached) network.permits.note(reached.value.recipients);
  const signIn = await step("credentials", [], async () => {
    const found = signInOf(desired, io);
    return [found, credentialsFinding(found, io)];
  });
  const called = await step("address", [], async () => {
    const found = serviceAndPortalOf(desired);
    await assertPermitted(network.permits, recipientsOf(found.service, found.portal));
    return [found, portalUrlOf(desired)];
  });
  const addresses = called ? addressesOf(desired, called) : [];
  await step("name", ["address"], () => lookUpNames(addresses, io));
  const portal = { url: desired.portal.url ?? "", id: desired.portal.id };
  const anybody: PortalAccess = { http: network.http, portal };
  const version = await step("connection", ["name"], async () => [
    await readVersion(anybody),
    connectionFinding(addresses),
  ]);
  await step("version", ["connection"], async () => [
    undefined,
    versionFinding(version ?? {}, desired.target.asked),
  ]);
  const session = await step("sign-in", ["credentials", "name"], async () => {
    if (!signIn) throw new TypeError("the step needs credentials");
    const opened = network.signIns.open(signIn);
    const endsAtMs = await opened.endsAtMs();
    const ends = endsAtMs && showTime(new Date(endsAtMs).toISOString(), zoneOf(io));
    return [opened, `"${signIn.method}" gives a token${ends ? ` until ${ends}` : ""}.`];
  });
  const visit: PortalAccess = { ...anybody, token: session?.token };
  const needed = ["connection", "sign-in"];
  await step("reading", needed, async () => {
    const settings = desired.portal.mayRead ? await readLive(visit) : undefined;
    return [undefined, readingFinding(settings)];
  });
  await step("privilege", needed, async () => [undefined, privilegeFinding(await readSelf(visit))]);
  const beforehand = desired.portal.url === undefined ? ["address"] : [];
  await step("state", beforehand, async () => {
    if ("failure" in reached) throw reached.failure;
    const portal = reached.value;
    const to = stateRecipientOf(portal.stateAddress.address, io.env);
    const refusal = to && network.permits.refusal([{ service: to, to }]);
    if (refusal) throw refusal;
    const place = placeFinding(portal, io);
    const found = { state: await portal.store.read(), holder: await portal.store.holder() };
    return [undefined, rememberedFinding(place, found, desired.file, io)];
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
