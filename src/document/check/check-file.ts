// Reads and checks a file by its name; "-" is standard input.
import type { Io } from "../../io.js";
import { check, type Checked, type Purpose } from "./check.js";
import { LARGEST_FILE, readInput, readSource } from "../read/bytes.js";

export async function checkFile(file: string, io: Io, purpose?: Purpose): Promise<Checked> {
  const reading =
    file === "-" ? readInput(await io.stdin.read(LARGEST_FILE)) : readSource({ ...io, file });
  return check(file, reading, io, purpose);
}
