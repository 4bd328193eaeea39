// Words and an environment → processes as on machines of their own: begun, listened to, ended or killed.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { BIN, environment } from "../../support/run.js";
import type { Organisation } from "./organisation.js";

export interface Machine {
  readonly name: string;
  readonly child: ChildProcess;
  /** Everything it has told, as it told it. */
  readonly told: readonly Told[];
  /** What it wrote beside that. */
  readonly wrong: () => string;
  /** Its exit status, or the signal. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | string>;
}

export interface Told {
  readonly time: string;
  readonly event: string;
  readonly portal?: { readonly id: string };
  readonly message: string;
  readonly failure?: { readonly code: string };
  readonly help?: string | null;
}

interface Beginning {
  readonly name: string;
  readonly words: readonly string[];
  /** Where it stands; a folder without anything, when left out. */
  readonly cwd?: string;
}

/** A machine keeps what it knows from one process to the next. */
export function begin({ folder, env }: Organisation, { name, words, cwd }: Beginning): Machine {
  const home = join(folder, "homes", name);
  mkdirSync(home, { recursive: true });
  const child = spawn(process.execPath, [BIN, ...words, "--output", "json"], {
    cwd: cwd ?? home,
    env: environment({ ...env, HOME: home }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const told: Told[] = [];
  let wrong = "";
  createInterface({ input: child.stdout }).on("line", (line) => {
    // How a run has failed is told in a document of many lines.
    if (line.startsWith('{"')) told.push(JSON.parse(line) as Told);
    else wrong += `${line}\n`;
  });
  child.stderr.on("data", (text: Buffer) => (wrong += text.toString()));
  return {
    name,
    child,
    told,
    wrong: () => wrong,
    async end(signal) {
      child.kill(signal);
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      return child.exitCode ?? child.signalCode ?? "";
    },
  };
}

/** Asked again and again, because what other processes do is told by nobody; fails where one of them ends by itself. */
export async function until(
  machines: () => readonly Machine[],
  isSo: () => Promise<boolean> | boolean,
): Promise<void> {
  while (!(await isSo())) {
    for (const { name, child, wrong } of machines()) {
      if (child.exitCode === null) continue;
      throw new Error(`"${name}" has ended with ${child.exitCode}:\n${wrong()}`);
    }
    await new Promise((turn) => setTimeout(turn, 50));
  }
}
