// lintel sandbox: switches → a working portal, until it is interrupted.
import type { Deployment } from "../../schemas/names.js";
import { EXIT } from "../failure.js";
import { ALLOWED_HOSTS, isSecure } from "../hosts.js";
import type { Io } from "../io.js";
import type { Paint } from "../report/text/paint.js";
import type { Omitted, SandboxOptions, Unknown } from "../sandbox/options.js";
import { startSandbox, type Sandbox } from "../sandbox/sandbox.js";
import { numberOf, valueOf, type Call, type Run } from "./command.js";
import { resolve } from "node:path";

export const run: Run = async (io, call) => {
  const sandbox = await startSandbox(optionsOf(io, call));
  const isForPrograms = call.destinations.some(
    ({ format, file }) => format === "json" && file === undefined,
  );
  io.stdout.write(isForPrograms ? `${readyLine(sandbox)}\n` : readyText(sandbox, call.paint));
  await new Promise<void>((done) => {
    if (io.signal.aborted) done();
    io.signal.addEventListener("abort", () => done(), { once: true });
  });
  await sandbox.close();
  return {
    outcome: {
      command: "sandbox",
      exit: EXIT.done,
      diagnostics: [],
      more: { url: sandbox.url, portalUrl: sandbox.portalUrl, signInUrl: sandbox.signInUrl },
    },
    text: () => "",
  };
};

function optionsOf(io: Io, call: Call): SandboxOptions {
  const text = (name: string) => valueOf(call, name);
  const rate = (name: string) => numberOf(call, name, { least: 0, most: 1 });
  const whole = (name: string, most: number) =>
    numberOf(call, name, { least: 0, most, isWhole: true });
  const data = text("data");
  return withoutUndefined({
    port: whole("port", 65_535),
    host: text("host"),
    version: text("target"),
    deployment: text("deployment") as Deployment | undefined,
    omittedParameters: text("omitted-parameters") as Omitted | undefined,
    omittedProperties: text("omitted-properties") as Omitted | undefined,
    unknown: text("unknown") as Unknown | undefined,
    canRead: call.options["no-read"] ? false : undefined,
    latencyMs: whole("latency", 600_000),
    failRate: rate("fail-rate"),
    dropRate: rate("drop-rate"),
    seed: whole("seed", 2 ** 31),
    portals: whole("portals", 100_000),
    dataDir: data === undefined ? undefined : resolve(io.cwd, data),
    now: () => io.now(),
  });
}

function withoutUndefined<T extends object>(options: {
  readonly [Name in keyof T]: T[Name] | undefined;
}): T {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as T;
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

function readyLine(sandbox: Sandbox): string {
  const told = READY.map((name) => [name, sandbox[name]]);
  return JSON.stringify({ ready: true, ...Object.fromEntries(told) });
}

function readyText(sandbox: Sandbox, paint: Paint): string {
  return [
    paint.bold("A portal is running. Ctrl+C ends it."),
    "",
    `  home page        ${sandbox.url}/`,
    `  portal           ${sandbox.portalUrl}`,
    `  sign-in service  ${sandbox.signInUrl}`,
    `  for a browser    ${sandbox.browserUrl}   ${sandbox.username} / ${sandbox.password}`,
    `  application      ${sandbox.clientId} / ${sandbox.clientSecret}`,
    ...portalsLine(sandbox.portals),
    "",
    "In another terminal:",
    `  export PORTAL=${sandbox.portalUrl}`,
    `  export SIGN_IN=${sandbox.signInUrl}`,
    // For scripts: where no terminal can ask, credentials go to listed hosts alone.
    ...(isSecure(new URL(sandbox.url)) ? [`  export ${ALLOWED_HOSTS}=${sandbox.url}`] : []),
    `  export LINTEL_BEID=${sandbox.beid}`,
    `  export LINTEL_WEB_SERVICES_KEY=${sandbox.webServicesKey}`,
    "  lintel init --url $PORTAL --sign-in-url $SIGN_IN",
    "  lintel doctor",
    "",
  ].join("\n");
}

/** The one that stands alone has no id worth a line. */
function portalsLine([self, ...beside]: readonly string[]): readonly string[] {
  if (beside.length === 0) return [];
  const shown = beside.length > 2 ? [beside[0], "…", beside.at(-1)] : beside;
  return [`  portal ids       ${[self, ...shown].join(" ")}`];
}
