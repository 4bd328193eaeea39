// Applies a file only if its plan changes nothing but the banner.
// Nobody is asked, so LINTEL_ALLOWED_HOSTS must name the hosts that may receive credentials:
//   LINTEL_ALLOWED_HOSTS=gis.example.com,accounts.example.com node apply.mjs portal.yaml
import { apply, check, render } from "lintel";

const files = [process.argv[2] ?? "portal.yaml"];

const { diagnostics } = await check(files);
for (const { file, line, severity, message } of diagnostics) {
  console.log(`${file}:${line ?? 1}: ${severity}: ${message}`);
}

const applied = await apply(files, {
  confirm: (portals) =>
    portals.every(({ changes }) =>
      changes.every(({ path }) => path.startsWith("informationalBanner")),
    ),
});
console.log(await render(applied, "text"));
process.exitCode = applied.exitCode;
