// A file as it was read → what another machine needs to read it so, too.
import { windowsOf } from "../../document/schedule/windows.js";
import { stateAddressOf, type Desired } from "../../document/read/desired.js";
import { referredIn, type Referred } from "../../document/referred.js";
import type { Io } from "../../io.js";
import type { Policed } from "../../run/policing.js";
import { DEFAULT_STATE } from "../../state-address/kinds.js";
import type { TimedWindow } from "../due.js";

export interface Needs extends Referred {
  /** Of the file, its bases, the files that its settings refer to and its own policies: absolute, each once. */
  readonly paths: readonly string[];
  /** All of them, those that are over too. */
  readonly windows: readonly TimedWindow[];
  /** Where the state is kept, with references replaced, and as the file writes it. */
  readonly state: { readonly address: string; readonly written: string | undefined };
}

export function needsOf(
  desired: Desired,
  policed: Policed | undefined,
  key: string,
  io: Pick<Io, "cwd" | "env">,
): Needs {
  const { root, state, paths } = desired;
  return {
    ...referredIn(root),
    paths: [...new Set([...paths, ...(policed?.paths ?? [])])],
    windows: windowsOf(root).map(({ name, fromMs, untilMs }) => ({ name, fromMs, untilMs })),
    state: {
      address: stateAddressOf(desired, io, key)?.address ?? DEFAULT_STATE,
      written: state,
    },
  };
}
