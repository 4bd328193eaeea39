// The faults that a sandbox can simulate, by their names behind --fault.
import { didYouMean } from "../diagnostic.js";
import { wrongUsage, type Failure } from "../failure.js";
import { ROLES, UNKNOWN, type SandboxOptions } from "./options.js";

interface Fault {
  /** What stands behind the equals sign; a fault without one takes no value. */
  readonly value?: string;
  /** Undefined where the value is wrong. */
  readonly read: (value: string) => SandboxOptions | undefined;
}

const MOST_MS = 600_000;

export const FAULTS: Readonly<Record<string, Fault>> = {
  latency: {
    value: "TIME",
    read: (value) => timed(value, (latencyMs) => ({ latencyMs })),
  },
  fail: {
    value: "FRACTION",
    read: (value) => fraction(value, (failRate) => ({ failRate })),
  },
  drop: {
    value: "FRACTION",
    read: (value) => fraction(value, (dropRate) => ({ dropRate })),
  },
  stale: {
    value: "TIME",
    read: (value) => timed(value, (staleMs) => ({ staleMs })),
  },
  "no-read": {
    read: () => ({ canRead: false }),
  },
  "anonymous-reads": {
    read: () => ({ anonymousReads: true }),
  },
  role: {
    value: ROLES.join("|"),
    read: (value) => oneOf(ROLES, value, (role) => ({ role })),
  },
  "reset-parameters": {
    read: () => ({ omittedParameters: "reset" }),
  },
  "reset-properties": {
    read: () => ({ omittedProperties: "reset" }),
  },
  unknown: {
    value: UNKNOWN.join("|"),
    read: (value) => oneOf(UNKNOWN, value, (unknown) => ({ unknown })),
  },
  seed: {
    value: "N",
    read: (value) => (/^\d{1,9}$/.test(value) ? { seed: Number(value) } : undefined),
  },
};

/** "latency=2s,drop=0.1,no-read", one or several. */
export function readFaults(texts: readonly string[]): SandboxOptions {
  const found = texts
    .flatMap((text) => text.split(","))
    .map((text): SandboxOptions => {
      const [, name = "", value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
      const fault = Object.hasOwn(FAULTS, name) ? FAULTS[name] : undefined;
      if (!fault) {
        const names = Object.keys(FAULTS);
        throw wrong(text, didYouMean(name, names) ?? `Faults: ${names.join(", ")}.`);
      }
      const isFit = (value === undefined) === (fault.value === undefined);
      const options = isFit ? fault.read(value ?? "") : undefined;
      const form = fault.value === undefined ? name : `${name}=${fault.value}`;
      if (!options) throw wrong(text, `Write:\n  --fault ${form}`);
      return options;
    });
  return Object.assign({}, ...found) as SandboxOptions;
}

function wrong(text: string, help: string): Failure {
  return wrongUsage(`Invalid value "${text}" for "--fault".`, help);
}

function timed<T>(text: string, make: (ms: number) => T): T | undefined {
  const [, number = "", unit] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  const ms = Math.round(Number(number) * (unit === "s" ? 1000 : 1));
  return number !== "" && ms <= MOST_MS ? make(ms) : undefined;
}

function fraction<T>(text: string, make: (share: number) => T): T | undefined {
  return /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(text) ? make(Number(text)) : undefined;
}

function oneOf<T extends string, R>(
  values: readonly T[],
  text: string,
  make: (value: T) => R,
): R | undefined {
  const found = values.find((each) => each === text);
  return found && make(found);
}
