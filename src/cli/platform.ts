// What yargs asks of its platform; the build puts it in the place of yargs' own, which loads widths, locales and searches.
import { basename } from "node:path";
import { inspect } from "node:util";
import Parser from "yargs-parser/browser";

/** What yargs may know of the environment: whoever wants the script for a shell sets SHELL. */
export const environment: Record<string, string> = {};

const nothing = () => undefined;

const platform = {
  Parser,
  inspect,
  path: { basename },
  assert: { notStrictEqual: nothing, strictEqual: nothing },
  getEnv: (name: string) => environment[name],
  getProcessArgvBin: () => "lintel",
  getCallerFile: () => "",
  mainFilename: "",
  process: {
    argv: () => [],
    cwd: () => "",
    execPath: () => "",
    nextTick: nothing,
    stdColumns: null,
  },
  y18n: {
    __: (text: string, ...values: string[]) => text.replace(/%s/g, () => values.shift() ?? ""),
    __n: (one: string) => one,
    getLocale: () => "en",
    setLocale: nothing,
  },
};

// yargs imports it so.
export { platform as default };
