// A file of lines that is only ever added to: each is there whole or not at all, whenever its writer is killed.
import * as fs from "node:fs";
import { promisify } from "node:util";
import { digestOfText } from "../../lib/digest.js";
import { parseExact, printJson, type Json } from "../../lib/json.js";

/** Enough to tell a line that was cut off, or overwritten by zeros when the power went. */
const CHECK = 16;

const [write, sync] = [promisify(fs.write), promisify(fs.fdatasync)];

export interface Read {
  readonly lines: readonly Json[];
  /** Where the last of them ends. */
  readonly bytes: number;
  /** How many others were whole once. What was never finished at the end is none of them. */
  readonly damaged: number;
}

/** All lines that are whole, whatever stands between them. */
export function readLines(path: string): Read {
  const all = fs.readFileSync(path);
  const lines: Json[] = [];
  let [bytes, damaged, others] = [0, 0, 0];
  for (let from = 0, end = all.indexOf(10); end !== -1; end = all.indexOf(10, from)) {
    const line = parsed(all.toString("utf8", from, end));
    from = end + 1;
    if (line === undefined) others++;
    else {
      lines.push(line);
      [bytes, damaged, others] = [from, damaged + others, 0];
    }
  }
  // What the power cut off may end like a line, after zeros.
  const isCutOff = all.indexOf(0, bytes) !== -1;
  return { lines, bytes, damaged: isCutOff ? damaged : damaged + others };
}

function parsed(line: string): Json | undefined {
  const text = line.slice(CHECK + 1);
  return line.startsWith(`${checkOf(text)} `) ? parseExact(text) : undefined;
}

/** Of plain data; what is undefined in it is left out. */
export function lineOf(data: object): string {
  const text = printJson(data);
  return `${checkOf(text)} ${text}\n`;
}

function checkOf(text: string): string {
  return digestOfText(text).slice(0, CHECK);
}

export interface Appending {
  readonly bytes: number;
  /** Lasting when it returns; where it throws, nothing of it is there. One at a time. */
  append(lines: string): Promise<void>;
  close(): void;
}

/** `bytes`: what is whole; the rest was never finished, and goes. */
export function openLines(path: string, bytes: number): Appending {
  const handle = fs.openSync(path, "r+");
  let [end, isTorn] = [bytes, true];
  return {
    get bytes() {
      return end;
    },
    async append(lines) {
      if (isTorn) fs.ftruncateSync(handle, end);
      isTorn = true;
      const all = Buffer.from(lines);
      for (let done = 0; done < all.length;) {
        const { bytesWritten } = await write(handle, all, done, all.length - done, end + done);
        done += bytesWritten;
      }
      await sync(handle);
      isTorn = false;
      end += all.length;
    },
    close: () => fs.closeSync(handle),
  };
}
