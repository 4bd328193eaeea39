// lintel policy test: checks policies and runs their examples.
import type { CommandSpec, Run } from "./command.js";
import { actionNamed } from "../cli/action-named.js";
import { QUIET } from "./options.js";
import { hasErrors, sortDiagnostics } from "../diagnostic.js";
import { wrongUsage } from "../failure.js";
import { outcomeOfCheck } from "../outcome.js";
import type { Added } from "./documents.js";
import { checkText } from "../report/problem-text.js";
import type { Styles } from "../report/styles.js";
import { pathsFromOutside } from "../apply/policy-checks.js";
import { counted, visible } from "../lib/text.js";

export const spec = {
  operands: "test [PATH…]",
  options: QUIET,
  formats: ["text", "json", "sarif", "junit", "github", "gitlab"],
  examples: [
    ["lintel policy test policy", "test the policies of a folder"],
    ["lintel policy test", "test those of LINTEL_POLICY"],
    ["lintel schema policy > policy.schema.json", "get the schema for editors"],
  ],
  offers: [["test"], []],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, { operands }) => {
  const [word, ...named] = operands;
  actionNamed("policy", word, ["test"]);
  const paths = pathsFromOutside(named, io);
  if (paths.length === 0) {
    throw wrongUsage("No policy is named.", "Name a file or a folder:\n  lintel policy test PATH");
  }
  const { readPolicies } = await import("../policy/read.js");
  const { testPolicy } = await import("../policy/examples.js");
  const { policies, problems } = readPolicies(paths, io.cwd);
  const tested = policies.map(testPolicy);
  const found = sortDiagnostics([...problems, ...tested.flatMap((each) => each.problems)]);
  const files = [...new Set([...policies, ...found].map(({ file }) => file))];
  const outcome = {
    ...outcomeOfCheck("policy", files, found),
    more: {
      policies: tested.map(({ policy, examples, problems: wrong }) => ({
        name: policy.name,
        severity: policy.severity,
        file: policy.file,
        examples,
        failed: wrong.length,
      })),
    } satisfies Added<"policy">,
  };
  const lines = tested
    .filter((each) => !hasErrors(each.problems))
    .map(({ policy, examples }) => `${policy.name}: ${counted(examples, "example")} as they say\n`);
  return {
    outcome,
    text: (styles: Styles) => visible(lines.join("")) + checkText(outcome, styles),
    quiet: (styles: Styles) => (found.length > 0 ? checkText(outcome, styles) : ""),
  };
};
