// Values that were stored or copied badly: one newline at the end is forgiven, everything else is told before anything is sent.
import { expect, onTestFinished, test } from "vitest";
import { main } from "../../src/cli/main.js";
import { openPlace, type Place } from "../run/place.js";
import { folderOf } from "../support/run.js";
import { sitDown } from "../support/terminal.js";

const PERSON =
  'method: generate-token, username: "${env:LINTEL_NAME}", password: "${env:LINTEL_PASSWORD}"';

function write(place: Place, fields: string): void {
  const { portalUrl } = place.sandbox;
  place.write("", {
    head: `targetVersion: "12.1"\nportal: { url: "${portalUrl}" }\nsignIn: { ${fields} }\n`,
  });
}

test.each(["\n", "\r\n"])("a variable may end in %j", async (end) => {
  const place = await openPlace();
  const { username, password, webServicesKey, signInUrl } = place.sandbox;
  write(place, PERSON);
  const env = { LINTEL_NAME: username + end, LINTEL_PASSWORD: password + end };
  expect(await place.run("doctor", { env })).toMatchObject({ exit: 0 });
  write(place, `url: "${signInUrl}"`);
  const key = { LINTEL_WEB_SERVICES_KEY: webServicesKey + end };
  expect(await place.run("doctor", { env: key })).toMatchObject({ exit: 0 });
});

test.each<[what: string, fields: string, value: string, says: string]>([
  ["a blank in a token", "method: token", "a-token of-mine", '"LINTEL_TOKEN" holds a blank'],
  ["a blank before a token", "method: token", " a-token-of-mine", "holds a blank"],
  ["two newlines after a token", "method: token", "a-token-of-mine\n\n", "control character"],
  ["a newline inside a token", "method: token", "a-token\nX-More: 1", "control character"],
  ["a letter that no header carries", "method: token", "a-töken-of-mine", "no header can carry"],
  ["a mark that nobody sees", "method: token", "\ufeffa-token-of-mine", "no header can carry"],
  ["a zero byte in a password", PERSON, "pass\0word", '"LINTEL_PASSWORD" holds'],
  ["a tab in a password", PERSON, "pass\tword", "control character"],
  [
    "a line break in a cookie",
    'method: loginsso, url: "http://127.0.0.1:9", cookie: "${env:LINTEL_TOKEN}"',
    "a=b\r\nX: y",
    "control character",
  ],
  [
    "a referer that no header carries",
    `${PERSON}, referer: "\${env:LINTEL_TOKEN}"`,
    "a-€",
    "no header can carry",
  ],
])("%s is told before anything is sent", async (_, fields, value, says) => {
  const place = await openPlace();
  write(place, fields);
  const env = {
    LINTEL_NAME: "ada",
    LINTEL_TOKEN: "a-token",
    LINTEL_PASSWORD: "password",
    [fields === PERSON ? "LINTEL_PASSWORD" : "LINTEL_TOKEN"]: value,
  };
  for (const words of ["doctor", "plan", "apply --yes", "drift"]) {
    const ran = await place.run(words, { env });
    expect([words, ran.exit]).toEqual([words, 4]);
    expect(ran.stdout + ran.stderr).toContain(says);
    expect(ran.stdout + ran.stderr).not.toContain(value.trim());
  }
  const sent = place.sandbox.requests.filter(
    ({ method, headers }) => method !== "GET" || headers["authorization"],
  );
  expect(sent).toEqual([]);
});

test("a file of the secrets folder may end in a newline, too, and lies in that folder", async () => {
  const place = await openPlace();
  const folder = folderOf({ password: `${place.sandbox.password}\n` });
  onTestFinished(() => folder.remove());
  const secrets = folder.path;
  write(
    place,
    `method: generate-token, username: "\${env:LINTEL_NAME}", password: "\${file:${secrets}/password}"`,
  );
  const env = { LINTEL_NAME: place.sandbox.username };
  expect(await place.run("doctor", { env: { ...env, LINTEL_SECRETS: secrets } })).toMatchObject({
    exit: 0,
  });
  const refused = await place.run("doctor", { env });
  expect(refused.exit).toBe(3);
  expect(refused.stdout).toContain("[outside-secrets]");
});

test("what a person types is checked too", async () => {
  const place = await openPlace();
  write(place, "method: token");
  const { io, shown } = sitDown(place.folder.path, {}, ["a-token of-mine"]);
  expect(await main(["drift"], io)).toBe(4);
  expect(shown.join("")).toContain('What was typed for "token" holds a blank.');
  expect(place.sandbox.requests).toEqual([]);
});
