// Answers about a portal → the commented text of a desired-state file that manages nothing yet.
import { catalog, isAccepted, isDeprecated, isIntroduced } from "../../catalog/catalog.js";
import type { Parameter } from "../../catalog/facts.js";
import {
  SIGN_IN_MEANINGS,
  SIGN_IN_METHODS,
  type SignInField,
  type SignInMethod,
} from "../../sign-in.js";
import { DEFAULT_STATE } from "../../state-address/kinds.js";

export interface Answers {
  readonly target: string;
  readonly deployment: string;
  readonly name: string;
  readonly url: string;
  readonly method: string;
  readonly signInUrl: string | undefined;
  /** The address of the state. */
  readonly state: string;
}

export function fieldsOf(method: string): Record<string, SignInField> {
  return SIGN_IN_METHODS[method as keyof typeof SIGN_IN_METHODS];
}

interface Beginning {
  /** Then its settings follow, and no examples stand in their place. */
  readonly isFromPortal: boolean;
}

export function toYaml(answers: Answers, schemaName: string, { isFromPortal }: Beginning): string {
  const { target, deployment, name, url, method, signInUrl, state } = answers;
  const parameters = catalog.parameters.filter(
    (each) => isIntroduced(each, target) && isAccepted(each, deployment),
  );
  return [
    `# yaml-language-server: $schema=./${schemaName}`,
    "",
    "# The version that the portal has.",
    `targetVersion: "${target}"`,
    `deployment: ${deployment}`,
    "",
    "portal:",
    `  name: ${JSON.stringify(name)}`,
    `  url: ${JSON.stringify(url)}`,
    "",
    ...signInLines(method, signInUrl),
    "",
    // A folder that nobody has said to keep would be lost with a pipeline, which then refuses to apply.
    ...(state === DEFAULT_STATE
      ? []
      : ["# Where it is remembered what was applied.", `state: ${yamlText(state)}`, ""]),
    "# Only what stands here is managed; what is left out stays on the portal as it is.",
    ...(isFromPortal
      ? ["# To read about a setting:  lintel explain NAME"]
      : [
          "# The values are examples, not defaults. To read about a setting:  lintel explain NAME",
          "# settings:",
          ...parameters.flatMap((each) => parameterLines(each, target)),
        ]),
    "",
  ].join("\n");
}

/** Plain where YAML takes it for this very text. */
function yamlText(text: string): string {
  return /^[a-z][\w:./@-]*\w$/i.test(text) ? text : JSON.stringify(text);
}

function signInLines(method: string, url: string | undefined): string[] {
  const fields = Object.entries(fieldsOf(method)).filter(([, { variable }]) => variable);
  const secrets = [
    "  # Secrets never stand in this file. Left out, they come from these variables:",
    ...fields.map(([field, { variable }]) => `  # ${field}: \${env:${variable}}`),
  ];
  const needsUrl = "url" in fieldsOf(method);
  const heading = `# How to sign in: ${SIGN_IN_MEANINGS[method as SignInMethod]}.`;
  if (needsUrl && !url) {
    const lines = [`method: ${method}`, "url: https://accounts.example.com"];
    return [heading, "# signIn:", ...lines.map((line) => `#   ${line}`)];
  }
  return [
    heading,
    "signIn:",
    `  method: ${method}`,
    ...(url ? [`  url: ${JSON.stringify(url)}`] : []),
    ...(fields.length > 0 ? secrets : []),
  ];
}

function parameterLines({ name, object, meaning }: Parameter, target: string): string[] {
  if (!object) return [`#   ${name}: true`];
  const properties = (catalog.objects[object] ?? []).filter(
    (each) => isIntroduced(each, target) && !isDeprecated(each, target) && !each.setBy,
  );
  return [
    `#   # ${meaning}`,
    `#   ${name}:`,
    ...properties.map((each) => `#     ${each.name}: ${JSON.stringify(each.example)}`),
  ];
}
