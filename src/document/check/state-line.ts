// Checks a state address from the command line by the rules of a file's `state`.
import { catalog } from "../../catalog/catalog.js";
import { wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { readDraft } from "../read/bytes.js";
import { nodeAt, type Node } from "../read/tree.js";
import { check } from "./check.js";

export function readStateLine(address: string, io: Pick<Io, "cwd" | "env">): Node {
  // JSON is valid YAML, whatever characters the address contains.
  const lines = [
    `targetVersion: "${catalog.versions.at(-1)}"`,
    `state: ${JSON.stringify(address)}`,
    "",
  ];
  const draft = readDraft(lines.join("\n"), { file: "ADDRESS", cwd: io.cwd });
  const { root, diagnostics } = check("ADDRESS", draft, io, { mayLackPortal: true });
  const problem = diagnostics.find(
    ({ severity, place }) => severity === "error" && place?.line === 2,
  );
  if (problem) throw wrongUsage(problem.message.replace(/^"state" /, "The address "), problem.help);
  const node = root && nodeAt(root, ["state"]);
  if (!node) throw new TypeError("a line of its own was not understood");
  return node;
}
