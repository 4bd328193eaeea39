// A program that applies a file only where its plan does what this program may do: set the banner, and nothing else.
// Nobody is asked, so that LINTEL_ALLOWED_HOSTS must name the hosts that credentials may go to:
//   LINTEL_ALLOWED_HOSTS=gis.example.com,accounts.example.com node apply.mjs portal.yaml
import { apply, check } from "lintel";

const [file = "portal.yaml"] = process.argv.slice(2);

const problems = await check(file);
for (const { file, place, severity, message } of problems) {
  console.log(`${file}:${place?.line ?? 1}: ${severity}: ${message}`);
}

const { portals, exit } = await apply([file], {
  confirm: (results) =>
    results.every(({ plan }) =>
      plan?.changes.every(({ path: [parameter] }) => parameter === "informationalBanner"),
    ),
});
for (const { portal, status, plan, failure } of portals) {
  console.log(`${portal.name}: ${failure?.message ?? status}`);
  for (const { path, after } of plan?.changes ?? []) {
    console.log(`  ${path.join(".")} = ${JSON.stringify(after)}`);
  }
}
process.exitCode = exit;
