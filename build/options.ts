// The esbuild options that the command, the library and the packages share.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildOptions } from "esbuild";

export const project = fileURLToPath(new URL("..", import.meta.url));

export const options = {
  absWorkingDir: project,
  bundle: true,
  minify: true,
  platform: "node",
  target: "node20",
  // Their texts are in THIRD-PARTY.txt.
  legalComments: "none",
  // Its ES modules can be tree-shaken. For Node the package offers CommonJS alone.
  alias: { yaml: join(project, "node_modules/yaml/browser/index.js") },
  logLevel: "warning",
} as const satisfies BuildOptions;

export const commonJs = {
  format: "cjs",
  platform: "node",
  // Node's own import() of CommonJS first searches the text for the names of its exports, which takes longer than to run it.
  supported: { "dynamic-import": false },
  // CommonJS has no import.meta. yargs looks beside this URL for its translations, and above it for a package.json: there is
  // neither, and otherwise it would read the package.json of the current folder. The drive makes it valid on Windows, too.
  define: { "import.meta.url": '"file:///C:/none/node_modules/yargs/lib/platform-shims/esm.mjs"' },
} as const satisfies BuildOptions;
