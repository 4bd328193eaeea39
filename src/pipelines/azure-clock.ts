// What a pipeline is about → the stages of Azure that go by the clock, and the one that keeps a work item of drift.
import drift from "../../generated/pipelines/azure-drift.js";
import { atBranch, lintelStep, INSTALLED, NODE, programStep, shown } from "./azure-steps.js";
import { BY_THE_CLOCK, indented, TARGET, type Pipelined } from "./parts.js";

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
      ...lintelStep(pipelined, { ...clockStep, lines: [BY_THE_CLOCK] }),
      ...lintelStep(pipelined, {
        ...clockStep,
        lines: [
          "status=0",
          `lintel drift ${TARGET} --output text --output text=drift.txt --output markdown=drift.md || status=$?`,
          'case "$status" in 0) found=no;; 2) found=yes;; *) exit "$status";; esac',
          'echo "##vso[task.setvariable variable=found;isOutput=true]$found"',
        ],
        name: "drift",
        sets: "found",
        condition: "succeededOrFailed()",
      }),
      ...shown("drift.md"),
      "- publish: drift.txt",
      "  artifact: drift",
      "  condition: and(succeededOrFailed(), eq(variables['drift.found'], 'yes'))",
    ]),
  ];
}

/** Apart from the clock, and given nothing of Lintel's. */
export function reportStage(): string[] {
  return [
    "- stage: report",
    "  dependsOn: clock",
    "  condition: and(not(canceled()), in(dependencies.clock.outputs['clock.drift.found'], 'yes', 'no'))",
    "  lockBehavior: sequential",
    "  variables:",
    "  - group: portal-reports",
    "  jobs:",
    "  - job: report",
    "    timeoutInMinutes: 5",
    "    variables:",
    "    - name: DRIFT",
    "      value: $[ stageDependencies.clock.clock.outputs['drift.found'] ]",
    "    steps:",
    ...indented(4, [
      "- checkout: none",
      ...NODE,
      "- download: current",
      "  artifact: drift",
      "  condition: and(succeeded(), eq(variables['DRIFT'], 'yes'))",
      ...programStep(drift, { TOKEN: "$(REPORT_TOKEN)" }),
    ]),
  ];
}
