// The command as npm installs it: its pieces are files in a folder beside this one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { start } from "./start.js";

const name = join(__dirname, "pieces");

start({ name, read: (piece) => readFileSync(join(name, piece)) });
