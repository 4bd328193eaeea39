// Handles help, version and completion; call.ts runs all other commands.
import packageFacts from "../../package.json" with { type: "json" };
import { EXIT, type Exit } from "../failure.js";
import type { Io } from "../io.js";

/** Each case loads only what it needs. */
export async function main([name, ...rest]: readonly string[], io: Io): Promise<Exit> {
  switch (name) {
    case undefined:
    case "--help":
    case "-h": {
      const { stylesOf } = await import("./call.js");
      io.stdout.write((await import("./help.js")).overview(stylesOf(rest, io)));
      return EXIT.done;
    }
    case "--version":
    case "-V":
    case "version":
      io.stdout.write(`${packageFacts.version}\n`);
      return EXIT.done;
    case "--get-yargs-completions":
      io.stdout.write(await (await import("./complete.js")).offered(rest, io));
      return EXIT.done;
    default:
      return (await import("./call.js")).call(name, rest, io);
  }
}
