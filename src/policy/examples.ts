// Tests policies against their own examples.
import { catalog } from "../catalog/catalog.js";
import type { Diagnostic } from "../diagnostic.js";
import { diagnose } from "../document/read/tree.js";
import { isJsonObject, pointInto, type Json, type JsonObject } from "../lib/json.js";
import { formatPath, leavesOf } from "../settings.js";
import { settingsOf } from "../catalog/spelling.js";
import { withContrast, type PolicyInput } from "./policy-input.js";
import { judge } from "./judge.js";
import type { Example, Policy } from "./policy.js";

/** Defaults for examples that do not set them. */
const PLAIN: PolicyInput = {
  portal: { name: "example", host: "gis.example.com", key: "gis.example.com-portal-self" },
  targetVersion: catalog.versions.at(-1) ?? "",
  deployment: "enterprise",
  file: "portals/example.yaml",
  settings: {},
  changes: [],
  schedule: [],
};

export interface Tested {
  readonly policy: Policy;
  readonly examples: number;
  readonly problems: readonly Diagnostic[];
}

export function testPolicy(policy: Policy): Tested {
  const problems = policy.examples.flatMap((each) => wrong(policy, each) ?? []);
  return { policy, examples: policy.examples.length, problems };
}

function wrong(policy: Policy, { kind, given, at }: Example): Diagnostic | undefined {
  const [first] = judge([policy], inputOf(given));
  if (kind === "bad") {
    if (first) return undefined;
    const message = `The policy "${policy.name}" finds nothing wrong with this example.`;
    const help = "Check its paths and schemas, or the example: a bad one has to break the policy.";
    return diagnose("example-fails", at, message, help);
  }
  if (!first) return undefined;
  const message = `The policy "${policy.name}" finds this example wrong: "${formatPath(first.path)}" ${first.how}.`;
  return diagnose(
    "example-fails",
    at,
    message,
    "Mend the policy, or move the example under:\n  bad:",
  );
}

/** An example's input, merged with the defaults. */
function inputOf(given: Json): PolicyInput {
  const own: JsonObject = isJsonObject(given) ? given : {};
  const portal = pointInto(own, ["portal"]);
  const settings = pointInto(own, ["settings"]);
  const whole = {
    ...PLAIN,
    ...own,
    portal: { ...PLAIN.portal, ...(isJsonObject(portal) && portal) },
    settings: settingsOf(leavesOf(isJsonObject(settings) ? settings : {})),
  } as unknown as PolicyInput;
  return pointInto(own, ["contrast"]) === undefined ? withContrast(whole) : whole;
}
