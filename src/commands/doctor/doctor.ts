// lintel doctor: a file → step by step, what works on the way to its portal, and what to do about what does not.
import type { Run, Words } from "../command.js";
import { NETWORK } from "../options.js";
import {
  portalUrlOf,
  serviceAndPortalOf,
  signInOf,
  type Desired,
} from "../../document/read/desired.js";
import { nodeAt } from "../../document/read/tree.js";
import { EXIT, Failure, type Exit } from "../../failure.js";
import { assertPermitted, recipientsOf } from "../../http/permits.js";
import type { Io } from "../../io.js";
import { readLive, readSelf, type PortalAccess } from "../../portal/portal.js";
import { readVersion } from "../../portal/view.js";
import { reach } from "../../run/reachable.js";
import { type Paint } from "../../report/text/paint.js";
import { visible, showTime, zoneOf } from "../../text.js";
import { checkText } from "../../report/text/diagnostic.js";
import {
  connectionFinding,
  credentialsFinding,
  fileFinding,
  lookUpNames,
  privilegeFinding,
  readingFinding,
  rememberedFinding,
  stateFinding,
  versionFinding,
  type Address,
  type Finding,
} from "./findings.js";
import { withNetwork, type Network } from "../call/network.js";
import { readOneFile, toolsOf } from "../call/tools.js";

interface Step {
  readonly name: string;
  readonly status: "ok" | "warning" | "failed" | "skipped";
  readonly message: string;
  readonly help: string | null;
}

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

type Examination = ReturnType<typeof newExamination>;

function newExamination() {
  const steps: Step[] = [];
  const failed = new Set<string>();
  let exit: Exit = EXIT.done;

  /** A step is skipped where one that it needs did not succeed; undefined then, and where it fails. */
  async function step<T>(
    name: string,
    needs: readonly string[],
    look: () => Promise<readonly [T, Finding]>,
  ): Promise<T | undefined> {
    const missing = needs.find((each) => failed.has(each));
    if (missing) {
      failed.add(name);
      steps.push({ name, status: "skipped", message: `Needs "${missing}".`, help: null });
      return undefined;
    }
    try {
      const [value, finding] = await look();
      const isFine = typeof finding === "string";
      const { warning: message, help } = isFine ? { warning: finding, help: null } : finding;
      steps.push({ name, status: isFine ? "ok" : "warning", message, help });
      return value;
    } catch (error) {
      if (!(error instanceof Failure) || error.code === "interrupted") throw error;
      failed.add(name);
      if (exit === EXIT.done) exit = error.exit;
      steps.push({ name, status: "failed", message: error.message, help: error.help ?? null });
      return undefined;
    }
  }
  return { steps, step, exit: () => exit };
}

async function examine(desired: Desired, io: Io, network: Network, { step }: Examination) {
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
  await step("state", [], async () => {
    const folder = stateFinding(desired, io);
    // Without the portal's address nobody knows which state is its own.
    if (!called) return [undefined, folder];
    const { store } = reach(desired, toolsOf("doctor", io, network, [desired.file]));
    return [undefined, rememberedFinding(folder, await store.read(), desired.file, zoneOf(io))];
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

function stepsText(steps: readonly Step[], paint: Paint): string {
  const width = Math.max(...steps.map(({ name }) => name.length)) + 2;
  const marks = {
    ok: paint.green("ok     "),
    warning: paint.yellow("warning"),
    failed: paint.red("failed "),
    skipped: paint.dim("skipped"),
  };
  const lines = steps.flatMap(({ name, status, message, help }) => [
    `${marks[status]}  ${name.padEnd(width)}${visible(message)}`,
    ...visible(help ?? "")
      .split("\n")
      .filter(Boolean)
      .map((line) => `${" ".repeat(9 + width)}${paint.cyan(line)}`),
  ]);
  return `${lines.join("\n")}\n`;
}
