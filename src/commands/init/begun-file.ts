// Writes the text of a new desired-state file, which manages nothing yet.
import {
  ADVANCED,
  catalog,
  isAccepted,
  isDeprecated,
  isIntroduced,
} from "../../catalog/catalog.js";
import type { Parameter } from "../../catalog/facts.js";
import { flowText } from "../../document/edit/value.js";
import { SIGN_IN_METHODS, type SignInField } from "../../sign-in.js";
import { DEFAULT_STATE } from "../../state-address/kinds.js";
import type { SettingPath } from "../../../schemas/names.js";

export interface Answers {
  readonly target: string;
  /** Read from the portal, or chosen with an option. */
  readonly isTargetSure: boolean;
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

export function variablesOf(method: string): string[] {
  return Object.values(fieldsOf(method)).flatMap(({ variable }) => variable ?? []);
}

/** With `isFromPortal` the live settings follow, so the file needs no examples. */
export function toYaml(
  answers: Answers,
  schemaName: string,
  { isFromPortal }: { readonly isFromPortal: boolean },
): string {
  const { target, isTargetSure, deployment, name, url, method, signInUrl, state } = answers;
  const parameters = catalog.parameters.filter(
    (each) => isIntroduced(each, target) && isAccepted(each, deployment),
  );
  return [
    `# yaml-language-server: $schema=./${schemaName}`,
    "",
    ...(isTargetSure ? [] : ["# Check this: the portal did not show exactly this version."]),
    `targetVersion: "${target}"`,
    `deployment: ${deployment}`,
    "",
    "portal:",
    `  name: ${JSON.stringify(name)}`,
    `  url: ${JSON.stringify(url)}`,
    "",
    "# Set these variables before you run lintel. Secrets are not allowed in this file.",
    ...variablesOf(method).map((variable) => `#   export ${variable}=…`),
    "# Other methods: lintel help desired-state",
    "signIn:",
    `  method: ${method}`,
    ...(signInUrl === undefined ? [] : [`  url: ${JSON.stringify(signInUrl)}`]),
    "",
    // Without this line, a pipeline refuses to apply: a folder of its checkout would be lost.
    ...(state === DEFAULT_STATE
      ? []
      : ["# Where Lintel records what it applied.", `state: ${yamlText(state)}`, ""]),
    "# Lintel changes only the settings below. All others stay as they are.",
    ...(isFromPortal
      ? []
      : ['# To use an example, remove "# " from each of its lines. More: lintel explain']),
    "settings:",
    ...(isFromPortal ? [] : parameters.flatMap((each) => exampleLines(each, target))),
    "",
  ].join("\n");
}

/** Plain where YAML takes it for this very text. */
function yamlText(text: string): string {
  return /^[a-z][\w:./@-]*\w$/i.test(text) ? text : JSON.stringify(text);
}

/** Of the many advanced properties; an installer sets none of them, and they need no others beside them. */
const OFTEN_USED: readonly SettingPath[] = [
  "portalConfigProperties.footerLinks",
  "portalConfigProperties.restrictOrganizationPageToAdmin",
  "portalConfigProperties.tokenExpiration",
];

function exampleLines({ name, object }: Parameter, target: string): string[] {
  if (!object) return [];
  const properties = (catalog.objects[object] ?? []).filter(
    (each) =>
      isIntroduced(each, target) &&
      !isDeprecated(each, target) &&
      (name !== ADVANCED || (OFTEN_USED as readonly string[]).includes(`${name}.${each.name}`)),
  );
  return [
    `  # ${name}:`,
    ...properties.map((each) => `  #   ${each.name}: ${flowText(each.example)}`),
  ];
}
