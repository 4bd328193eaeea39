// lintel sandbox: switches → a working portal, until it is interrupted.
import type { CommandSpec, ParsedArguments, Run } from "./command.js";
import { DEPLOYMENT, PORT, TARGET } from "./options.js";
import { ALLOWED_HOSTS, isSecure } from "../hosts.js";
import type { Io } from "../io.js";
import { BY_DEFAULT, OMITTED, ROLES, UNKNOWN, type SandboxOptions } from "../sandbox/options.js";
import { startSandbox, type Sandbox } from "../sandbox/sandbox.js";
import { resolve } from "node:path";
import { isForPrograms, untilInterrupted } from "../cli/until-interrupted.js";
import { done } from "../cli/result.js";

export const spec = {
  operands: "",
  options: {
    ...PORT,
    host: { value: "ADDRESS", default: BY_DEFAULT.host, description: "Address to listen on." },
    data: { value: "DIR", description: "Keep settings and accounts in this folder." },
    ...TARGET,
    deployment: { ...DEPLOYMENT, default: BY_DEFAULT.deployment },
    portals: {
      value: "N",
      number: { least: 0, most: 100_000, isWhole: true },
      default: BY_DEFAULT.portals,
      description: "Add portals portal-1 to portal-N.",
    },
    "omitted-parameters": {
      value: "WHAT",
      values: OMITTED,
      default: BY_DEFAULT.omittedParameters,
      description: "Handling of parameters that an update omits.",
    },
    "omitted-properties": {
      value: "WHAT",
      values: OMITTED,
      default: BY_DEFAULT.omittedProperties,
      description: "Handling of properties that an object omits.",
    },
    unknown: {
      value: "WHAT",
      values: UNKNOWN,
      default: BY_DEFAULT.unknown,
      description: "Handling of unknown names.",
    },
    role: {
      value: "ROLE",
      values: ROLES,
      description: "Account role, by default administrator.",
    },
    "no-read": { description: "Refuse to show the settings." },
    "anonymous-reads": { description: "Ignore the token of read requests." },
    stale: {
      value: "MS",
      number: { least: 0, most: 600_000, isWhole: true },
      default: BY_DEFAULT.staleMs,
      description: "Delay until updates are visible.",
    },
    latency: {
      value: "MS",
      number: { least: 0, most: 600_000, isWhole: true },
      default: BY_DEFAULT.latencyMs,
      description: "Delay before each response.",
    },
    "fail-rate": {
      value: "FRACTION",
      number: { least: 0, most: 1 },
      default: BY_DEFAULT.failRate,
      description: "Fraction of requests that fail.",
    },
    "drop-rate": {
      value: "FRACTION",
      number: { least: 0, most: 1 },
      default: BY_DEFAULT.dropRate,
      description: "Fraction of requests that get no response.",
    },
    seed: {
      value: "N",
      number: { least: 0, most: 2 ** 31, isWhole: true },
      default: BY_DEFAULT.seed,
      description: "Random seed.",
    },
  },
  formats: ["text", "json"],
  examples: [
    ["lintel sandbox", "newest version, in memory"],
    ["lintel sandbox --target 11.0", "an older version"],
    ["lintel sandbox --data ./portal-data", "keep data in a folder"],
    ["lintel sandbox --output json", "print the address as JSON"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const sandbox = await startSandbox(optionsOf(io, call));
  const told = Object.fromEntries(READY.map((name) => [name, sandbox[name]]));
  const line = `${JSON.stringify({ ready: true, ...told })}\n`;
  io.stdout.write(isForPrograms(call) ? line : readyText(sandbox, call));
  await untilInterrupted(io);
  await sandbox.close();
  const { url, portalUrl, signInUrl } = sandbox;
  return done("sandbox", { url, portalUrl, signInUrl }, () => "");
};

type Arguments = ParsedArguments<typeof spec.options>;

function optionsOf(io: Io, { options }: Arguments): SandboxOptions {
  const { target, data, role } = options;
  return {
    port: options.port,
    host: options.host,
    deployment: options.deployment,
    omittedParameters: options["omitted-parameters"],
    omittedProperties: options["omitted-properties"],
    unknown: options.unknown,
    canRead: !options["no-read"],
    anonymousReads: options["anonymous-reads"],
    staleMs: options.stale,
    latencyMs: options.latency,
    failRate: options["fail-rate"],
    dropRate: options["drop-rate"],
    seed: options.seed,
    portals: options.portals,
    ...(role !== undefined && { role }),
    ...(target !== undefined && { version: target }),
    ...(data !== undefined && { dataDir: resolve(io.cwd, data) }),
    now: () => io.now(),
  };
}

/** What a program needs to use the sandbox. */
const READY = [
  "url",
  "portalUrl",
  "signInUrl",
  "beid",
  "webServicesKey",
  "username",
  "password",
  "clientId",
  "clientSecret",
  "portals",
] as const satisfies readonly (keyof Sandbox)[];

function readyText(sandbox: Sandbox, { paint }: Arguments): string {
  const [self, ...beside] = sandbox.portals;
  const shown = beside.length > 2 ? [beside[0], "…", beside.at(-1)] : beside;
  return [
    paint.bold("A portal is running. Ctrl+C ends it."),
    "",
    `  home page        ${sandbox.url}/`,
    `  portal           ${sandbox.portalUrl}`,
    `  sign-in service  ${sandbox.signInUrl}`,
    `  for a browser    ${sandbox.browserUrl}   ${sandbox.username} / ${sandbox.password}`,
    `  application      ${sandbox.clientId} / ${sandbox.clientSecret}`,
    // The one that stands alone has no id worth a line.
    ...(beside.length > 0 ? [`  portal ids       ${[self, ...shown].join(" ")}`] : []),
    "",
    "In a second terminal, set these variables:",
    `  export PORTAL=${sandbox.portalUrl}`,
    `  export SIGN_IN=${sandbox.signInUrl}`,
    // For scripts: where no terminal can ask, credentials go to listed hosts alone.
    ...(isSecure(new URL(sandbox.url)) ? [`  export ${ALLOWED_HOSTS}=${sandbox.url}`] : []),
    `  export LINTEL_BEID=${sandbox.beid}`,
    `  export LINTEL_WEB_SERVICES_KEY=${sandbox.webServicesKey}`,
    `  export LINTEL_USERNAME=${sandbox.username}`,
    `  export LINTEL_PASSWORD=${sandbox.password}`,
    "",
    "Then, in a new folder, run one at a time:",
    `  lintel init --url $PORTAL --sign-in-url $SIGN_IN`,
    "  lintel doctor",
    "",
  ].join("\n");
}
