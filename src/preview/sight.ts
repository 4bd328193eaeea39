// A checked file → what there is to see of it: its problems and, where none is an error, the settings that it wants.
import type { Checked } from "../document/check.js";
import { desiredOf } from "../document/desired.js";
import { desiredLeaves } from "../document/leaves.js";
import { hasErrors, type Diagnostic } from "../diagnostic.js";
import type { JsonObject } from "../json.js";
import type { Visit } from "../pages/home.js";
import { withLeaf } from "../settings.js";

export type Seen = Pick<Visit, "name" | "settings">;

export interface Sight {
  readonly file: string;
  readonly problems: readonly Diagnostic[];
  /** Absent where the file has errors. */
  readonly seen?: Seen;
}

export function sightOf({ file, root, diagnostics }: Checked): Sight {
  if (!root || hasErrors(diagnostics)) return { file, problems: diagnostics };
  const settings = desiredLeaves(root).reduce<JsonObject>(withLeaf, {});
  return {
    file,
    problems: diagnostics,
    seen: { name: desiredOf(file, root).portal.name, settings },
  };
}
