// Prints diagnostics as SARIF 2.1.0, for code scanning.
import type { Location, Log, PhysicalLocation, ReportingDescriptor, Result } from "sarif";
import { DIAGNOSTICS, type Diagnostic, type DiagnosticCode, type Place } from "../diagnostic.js";
import type { Severity } from "../diagnostic.js";
import type { Outcome } from "../outcome.js";
import { fingerprintsOf } from "./gitlab-report.js";

export interface Tool {
  readonly version: string;
  readonly homepage: string;
  /** What a rule finds, and its default severity; undefined for what is no rule. */
  readonly ruleOf: (
    code: string,
  ) => { readonly meaning: string; readonly severity: Severity } | undefined;
}

export function sarifReport({ diagnostics, failure }: Outcome, tool: Tool): string {
  const codes = [...new Set(diagnostics.map((each) => each.code))].toSorted();
  const fingerprints = fingerprintsOf(diagnostics);
  const log: Log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Lintel",
            version: tool.version,
            informationUri: tool.homepage,
            rules: codes.map((code) => descriptorOf(code, tool)),
          },
        },
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: !failure,
            ...(failure && {
              toolExecutionNotifications: [
                {
                  descriptor: { id: failure.code },
                  level: "error",
                  message: { text: failure.message },
                },
              ],
            }),
          },
        ],
        results: diagnostics.map((each, at) =>
          resultOf(each, codes.indexOf(each.code), fingerprints[at] ?? ""),
        ),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const LEVELS = { error: "error", warning: "warning", notice: "note" } as const;
/** As code scanning calls them. */
const SEVERITIES = { error: "error", warning: "warning", notice: "recommendation" } as const;

function descriptorOf(code: string, tool: Tool): ReportingDescriptor {
  const { meaning, severity, help } = aboutCode(code, tool);
  const text = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
  return {
    id: code,
    name: pascalCase(code),
    shortDescription: { text },
    fullDescription: { text: `Found: ${meaning}. The message of each result says what to do.` },
    help: { text: help.replaceAll("`", ""), markdown: help },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: ["configuration"], "problem.severity": SEVERITIES[severity] },
  };
}

function aboutCode(code: string, { ruleOf }: Tool) {
  const rule = ruleOf(code);
  if (rule) {
    const help = `\`lintel explain ${code}\` says what this rule finds. A file can choose another severity with \`rules: { ${code}: off }\`, or error, or warning.`;
    return { ...rule, help };
  }
  if (isProblem(code)) {
    const [severity, meaning] = DIAGNOSTICS[code];
    const help = "`lintel help desired-state` says what a file may hold.";
    return { meaning: meaning, severity, help };
  }
  const name = code.replace(/^policy\//, "");
  const help =
    "`lintel help policy` explains policies; the policy's file holds this one's reasons.";
  const severity: Severity = "error";
  return { meaning: `what the policy ${name} forbids`, severity, help };
}

function isProblem(code: string): code is DiagnosticCode {
  return Object.hasOwn(DIAGNOSTICS, code);
}

/** GitHub's name for the fingerprint; without one, dismissed results return. */
function resultOf(each: Diagnostic, ruleIndex: number, primaryLocationLineHash: string): Result {
  return {
    ruleId: each.code,
    ruleIndex,
    level: LEVELS[each.severity],
    message: { text: `${each.message} ${each.help}` },
    locations: [{ physicalLocation: locationOf(each.file, each.place) }],
    partialFingerprints: { primaryLocationLineHash },
    ...(each.related.length > 0 && {
      relatedLocations: each.related.map(({ place, message }, id): Location => ({
        id,
        physicalLocation: locationOf(place.file, place),
        message: { text: message },
      })),
    }),
  };
}

function locationOf(file: string, place?: Place): PhysicalLocation {
  const uri = toUri(file);
  const artifactLocation = uri.includes("://") ? { uri } : { uri, uriBaseId: "%SRCROOT%" };
  // GitHub requires a line for each.
  if (!place) return { artifactLocation, region: { startLine: 1 } };
  const { line: startLine, column: startColumn, endLine, endColumn } = place;
  return { artifactLocation, region: { startLine, startColumn, endLine, endColumn } };
}

function toUri(file: string): string {
  if (file === "-") return "stdin";
  const path = file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
  return path.startsWith("/") ? `file://${path}` : path;
}

function pascalCase(id: string): string {
  return id.replace(/(?:^|[-/])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
