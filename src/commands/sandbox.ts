// lintel sandbox: runs a working portal until it is interrupted.
import type { CommandSpec, ParsedArguments, Run } from "./command.js";
import { DEPLOYMENT, PORT, TARGET } from "./options.js";
import { ALLOWED_HOSTS, isSecure } from "../hosts.js";
import type { Io } from "../io.js";
import { FAULTS, readFaults } from "../sandbox/faults.js";
import { BY_DEFAULT, type SandboxOptions } from "../sandbox/options.js";
import { startSandbox, type Sandbox } from "../sandbox/sandbox.js";
import { resolve } from "node:path";
import { isForPrograms, untilInterrupted } from "../cli/until-interrupted.js";
import { done } from "../cli/result.js";
import type { SandboxReadyDocument } from "./documents.js";

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
    fault: {
      value: "FAULT[,FAULT…]",
      isList: true,
      offers: Object.keys(FAULTS),
      valuesIn: "sandbox",
      description: "Simulate faults of a portal.",
    },
  },
  formats: ["text", "json"],
  examples: [
    ["lintel sandbox", "newest version, in memory"],
    ["lintel sandbox --target 11.0", "an older version"],
    ["lintel sandbox --data ./portal-data", "keep data in a folder"],
    ["lintel sandbox --fault latency=2s,drop=0.1", "a slow and unreliable portal"],
    ["lintel sandbox --output json", "print the address as JSON"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const options = optionsOf(io, call);
  const sandbox = await startSandbox(options);
  const line = `${JSON.stringify(readyDocument(sandbox))}\n`;
  io.stdout.write(isForPrograms(call) ? line : readyText(sandbox, call, options));
  await untilInterrupted(io);
  await sandbox.close();
  const { url, portalUrl, signInUrl } = sandbox;
  return done("sandbox", { url, portalUrl, signInUrl }, () => "");
};

type Arguments = ParsedArguments<typeof spec.options>;

function optionsOf(io: Io, { options }: Arguments): SandboxOptions {
  const { target, data } = options;
  return {
    port: options.port,
    host: options.host,
    deployment: options.deployment,
    portals: options.portals,
    ...readFaults(options.fault),
    ...(target !== undefined && { version: target }),
    ...(data !== undefined && { dataDir: resolve(io.cwd, data) }),
    now: () => io.now(),
  };
}

/** What a program needs to use the sandbox. */
function readyDocument(sandbox: Sandbox): SandboxReadyDocument {
  const { url, portalUrl, signInUrl, portals, beid, webServicesKey } = sandbox;
  const { username, password, clientId, clientSecret } = sandbox;
  const accounts = { beid, webServicesKey, username, password, clientId, clientSecret };
  return { ready: true, url, portalUrl, signInUrl, ...accounts, portals };
}

function readyText(
  sandbox: Sandbox,
  { styles }: Arguments,
  { hasSignInService = true }: SandboxOptions,
): string {
  const ofService = (...lines: string[]) => (hasSignInService ? lines : []);
  const [self, ...beside] = sandbox.portals;
  const shown = beside.length > 2 ? [beside[0], "…", beside.at(-1)] : beside;
  return [
    styles.bold("A portal is running. Ctrl+C ends it."),
    "",
    `  home page        ${sandbox.url}/`,
    `  portal           ${sandbox.portalUrl}`,
    ...ofService(`  sign-in service  ${sandbox.signInUrl}`),
    `  for a browser    ${sandbox.browserUrl}   ${sandbox.username} / ${sandbox.password}`,
    `  application      ${sandbox.clientId} / ${sandbox.clientSecret}`,
    // The one that stands alone has no id worth a line.
    ...(beside.length > 0 ? [`  portal ids       ${[self, ...shown].join(" ")}`] : []),
    "",
    "In a second terminal, set these variables:",
    `  export PORTAL=${sandbox.portalUrl}`,
    ...ofService(`  export SIGN_IN=${sandbox.signInUrl}`),
    // For scripts: where no terminal can ask, credentials go to listed hosts alone.
    ...(isSecure(new URL(sandbox.url)) ? [`  export ${ALLOWED_HOSTS}=${sandbox.url}`] : []),
    ...ofService(
      `  export LINTEL_BEID=${sandbox.beid}`,
      `  export LINTEL_WEB_SERVICES_KEY=${sandbox.webServicesKey}`,
    ),
    `  export LINTEL_USERNAME=${sandbox.username}`,
    `  export LINTEL_PASSWORD=${sandbox.password}`,
    "",
    "Then, in a new folder, run one at a time:",
    `  lintel init --url $PORTAL ${hasSignInService ? "--sign-in-url $SIGN_IN" : "--method generate-token"}`,
    "  lintel doctor",
    "",
  ].join("\n");
}
