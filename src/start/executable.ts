// The command as one program with Node in it: its pieces are data of that program.
import { getRawAsset } from "node:sea";
import { start } from "./start.js";
import { piecesIn } from "./whole.js";

start(piecesIn(__filename, () => Buffer.from(getRawAsset("pieces") as ArrayBuffer)));
