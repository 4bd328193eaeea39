// Runs a command in a terminal of 80 columns, and answers its questions.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BIN } from "./run.js";

export interface Terminal {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Puts the built command into `home`. Returns the variables of a shell that finds it there. */
export function installLintel(home: string) {
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "lintel"), `#!/bin/sh\nexec node '${BIN}' "$@"\n`, { mode: 0o755 });
  return { HOME: home, PATH: `${bin}:${process.env["PATH"]}`, LC_ALL: "C.UTF-8" };
}

/** `script` makes the terminal. What it prints arrives on standard output, with "\r\n" for each line end. */
export function startInTerminal(command: string, { cwd, env }: Terminal) {
  const words = ["--quiet", "--return", "--command", `stty cols 80; ${command}`, "/dev/null"];
  return spawn("script", words, { cwd, env });
}

/** Everything printed until the command ends, and its exit status. `answer` gets each question, and returns the line to type. */
export async function runInTerminal(
  command: string,
  terminal: Terminal,
  answer: (question: string) => string = () => "",
): Promise<{ readonly text: string; readonly exit: number | null }> {
  const child = startInTerminal(command, terminal);
  let text = "";
  let answered = 0;
  child.stdout.on("data", (part: Buffer) => {
    text += part.toString();
    const [question] = /[^\n]*(?:\(yes or no\)|[\]:?]) $/.exec(text.slice(answered)) ?? [];
    if (question === undefined) return;
    answered = text.length;
    child.stdin.write(`${answer(question)}\n`);
  });
  const exit = await new Promise<number | null>((done) => child.on("close", done));
  // A slow run shows its progress, and erases it.
  const kept = text.split("\n").map((line) => line.split("\r\u001B[J").at(-1) ?? "");
  return { text: kept.join("\n").replaceAll("\r", ""), exit };
}
