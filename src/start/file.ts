// The command as one file: its pieces stand at the end of it, as comments, which V8 passes over.
import { readFileSync } from "node:fs";
import { start } from "./start.js";
import { piecesIn } from "./whole.js";

start(piecesIn(__filename, () => readFileSync(__filename)));
