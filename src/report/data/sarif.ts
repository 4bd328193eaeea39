// An outcome's diagnostics → SARIF 2.1.0, for code scanning.
import type { Diagnostic, Place } from "../../diagnostic.js";
import type { Outcome } from "../../outcome.js";
import { fingerprintsOf } from "./fingerprint.js";

export function sarifReport({ diagnostics, failure }: Outcome, version: string): string {
  const codes = [...new Set(diagnostics.map((each) => each.code))].toSorted();
  const fingerprints = fingerprintsOf(diagnostics);
  const rules = codes.map((id) => ({ id, name: pascalCase(id) }));
  const notification = failure && {
    descriptor: { id: failure.code },
    level: "error",
    message: { text: failure.message },
  };
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Lintel", version, rules } },
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: !failure,
            ...(notification && { toolExecutionNotifications: [notification] }),
          },
        ],
        results: diagnostics.map((each, at) => ({
          ...resultOf(each, codes.indexOf(each.code)),
          // GitHub's name for it; without one, what somebody has seen and dismissed comes again.
          partialFingerprints: { primaryLocationLineHash: fingerprints[at] },
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function resultOf(each: Diagnostic, ruleIndex: number) {
  return {
    ruleId: each.code,
    ruleIndex,
    level: each.severity === "notice" ? "note" : each.severity,
    message: { text: `${each.message} ${each.help}` },
    locations: [{ physicalLocation: locationOf(each.file, each.place) }],
    ...(each.related.length > 0 && {
      relatedLocations: each.related.map(({ place, message }, id) => ({
        id,
        physicalLocation: locationOf(place.file, place),
        message: { text: message },
      })),
    }),
  };
}

function locationOf(file: string, place?: Place) {
  const artifactLocation = { uri: toUri(file) };
  // GitHub wants a line of each.
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
  return id.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
