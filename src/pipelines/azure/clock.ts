// What a pipeline is about → the stages of Azure that go by the clock, and the one that keeps a work item of drift.
import drift from "../../../generated/pipelines/azure-drift.js";
import { atBranch, lintelStep, INSTALLED, NODE, programStep, REPORTING, shown } from "./steps.js";
import { BY_THE_CLOCK, indented, TARGET, type Pipelined } from "../parts.js";

export function clockStage(pipelined: Pipelined): string[] {
  const clockStep = { gitToken: "$(STATE_TOKEN)", hasSecrets: true } as const;
  return [
    "- stage: clock",
    "  dependsOn: []",
    `  condition: and(eq(variables['Build.Reason'], 'Schedule'), ${atBranch(pipelined)})`,
    "  lockBehavior: sequential",
    "  variables:",
    "  - group: portal",
    "  jobs:",
    "  - job: clock",
    "    timeoutInMinutes: 60",
    "    steps:",
    ...indented(4, [
      ...INSTALLED,
      ...lintelStep(pipelined, {
        ...clockStep,
        title: "apply what is due",
        lines: [
          "status=0",
          `${BY_THE_CLOCK} || status=$?`,
          "# An apply was faster: once more, on what that one left.",
          `if [ "$status" -eq 5 ]; then status=0; ${BY_THE_CLOCK} || status=$?; fi`,
          'exit "$status"',
        ],
      }),
      ...lintelStep(pipelined, {
        ...clockStep,
        title: "look for drift",
        lines: [
          "mkdir -p lintel-drift",
          "status=0",
          `lintel drift ${TARGET} --output text --output text=lintel-drift/drift.txt --output markdown=lintel-drift/drift.md --output json=lintel-drift/drift.json || status=$?`,
          'echo "##vso[task.setvariable variable=looked;isOutput=true]yes"',
          "# What somebody changed is for the work item to tell; a portal that could not be looked at is a failure.",
          'if [ "$status" -ne 2 ]; then exit "$status"; fi',
        ],
        name: "drift",
        sets: "looked",
        condition: "succeededOrFailed()",
      }),
      ...shown("lintel-drift/drift.md"),
      "- publish: lintel-drift",
      "  artifact: drift",
      "  condition: and(succeededOrFailed(), eq(variables['drift.looked'], 'yes'))",
    ]),
  ];
}

/** Apart from the clock, and given nothing of Lintel's. */
export function reportStage(): string[] {
  return [
    "- stage: report",
    "  dependsOn: clock",
    "  condition: and(not(canceled()), eq(dependencies.clock.outputs['clock.drift.looked'], 'yes'))",
    "  lockBehavior: sequential",
    "  variables:",
    "  - group: portal-reports",
    "  jobs:",
    "  - job: report",
    "    timeoutInMinutes: 5",
    "    steps:",
    ...indented(4, [
      "- checkout: none",
      ...NODE,
      "- download: current",
      "  artifact: drift",
      ...programStep(drift, { title: "keep the work item", ...REPORTING }),
    ]),
  ];
}
