// What the steps of Azure's pipelines have in common: what they install, what they may tell the agent, and how they sign in.
import { branchesOf, handedOn, indented, INSTALL, programLines, type Pipelined } from "../parts.js";

/** Tasks by their major version: an exact one works only in an organisation that has just that. */
export const NODE = ["- task: UseNode@1", "  inputs: { version: 24.x }"];

/**
 * The checkout keeps no credential: a step that asks git gets one of its own. It has all of the history, so that one that
 * is older than what was applied, as of a run that is run again, is known for one.
 */
export const INSTALLED = [
  "- checkout: self",
  "  fetchDepth: 0",
  ...NODE,
  `- bash: ${INSTALL}`,
  "  displayName: install Lintel",
];

interface Step {
  /** As the page of the run calls it. */
  readonly title: string;
  readonly lines: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly name?: string;
  readonly condition?: string;
  /** The one variable that it may set. */
  readonly sets?: string;
}

/** What programs print holds what others wrote, and the agent does what it is told anywhere in a line. */
export function step({ title, lines, env = {}, name, condition, sets }: Step): string[] {
  const given = Object.entries(env).map(([key, value]) => `    ${key}: ${value}`);
  return [
    "- bash: |",
    ...indented(4, lines),
    `  displayName: ${title}`,
    ...(name ? [`  name: ${name}`] : []),
    ...(condition ? [`  condition: ${condition}`] : []),
    `  target: { commands: restricted, settableVariables: ${sets ? `[${sets}]` : "none"} }`,
    ...(given.length > 0 ? ["  env:", ...given] : []),
  ];
}

export const programStep = (program: string, more: Omit<Step, "lines">) =>
  step({ ...more, lines: programLines(program) });

/** The job that comments, and the one that keeps a work item, have nothing else. */
export const REPORTING = { env: { TOKEN: "$(REPORT_TOKEN)" } };

interface LintelStep extends Step {
  /** Who reads or pushes the branch of a state. */
  readonly gitToken: "$(System.AccessToken)" | "$(STATE_TOKEN)";
  readonly hasSecrets: boolean;
}

const SIGNED_IN =
  'export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=http.extraheader GIT_CONFIG_VALUE_0="Authorization: Basic $(printf ":%s" "$GIT_TOKEN" | base64 --wrap=0)"';

/** A secret reaches a step only where it is named. One that nobody has set arrives as the text that names it. */
export function lintelStep(
  pipelined: Pipelined,
  { gitToken, hasSecrets, lines, ...rest }: LintelStep,
): string[] {
  const hasBranch = branchesOf(pipelined).length > 0;
  const secrets = hasSecrets ? handedOn(pipelined) : [];
  const env = Object.fromEntries([
    ...(hasBranch ? [["GIT_TOKEN", gitToken]] : []),
    ...secrets.map((each) => [each, `$(${each})`]),
  ]) as Record<string, string>;
  const names = Object.keys(env).join(" ");
  const prepared = [
    ...(hasSecrets
      ? [`for name in ${names}; do [[ \${!name} != ?\\(*\\) ]] || unset "$name"; done`]
      : []),
    ...(hasBranch && gitToken === "$(STATE_TOKEN)"
      ? [
          'if [ -z "${GIT_TOKEN-}" ]; then echo "##vso[task.logissue type=error]The variable group portal has no secret STATE_TOKEN."; exit 1; fi',
        ]
      : []),
    ...(hasBranch ? [SIGNED_IN] : []),
  ];
  return step({ ...rest, lines: [...prepared, ...lines], env });
}

const onPage = (name: string) => `echo "##vso[task.uploadsummary]$PWD/${name}"`;

/** On the page of the run. */
export const shown = (name: string, ...more: readonly string[]) => [
  "- bash: |",
  ...indented(4, [`[ -f ${name} ] || exit 0`, onPage(name), ...more]),
  `  displayName: show ${name}`,
  "  condition: always()",
];

/** Also for azure-pipelines-comment.yml, which takes the newest attempt. */
export const PLAN_SHOWN = shown(
  "plan.md",
  'echo "##vso[task.addattachment type=lintel-plan;name=plan-$SYSTEM_JOBATTEMPT]$PWD/plan.md"',
);

/** Where nobody could tell, the usual one. */
export const branchOf = ({ branch = "main" }: Pipelined): string => branch;

export function atBranch(pipelined: Pipelined): string {
  const ref = `refs/heads/${branchOf(pipelined)}`;
  return `eq(variables['Build.SourceBranch'], '${ref.replaceAll("'", "''")}')`;
}
