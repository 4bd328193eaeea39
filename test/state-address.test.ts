// Addresses of states as a file writes them: what is wrong with each, in words that fit its kind, before anything is asked of anybody.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { STATE_KINDS, wrongAsWritten } from "../src/state-address/kinds.js";
import { PROJECT } from "./support/run.js";

const schema = JSON.parse(
  readFileSync(join(PROJECT, "schemas/desired-state.draft-07.schema.json"), "utf8"),
) as { properties: { state: { pattern: string } } };
const pattern = new RegExp(schema.properties.state.pattern, "u");

describe("an address that is right", () => {
  test.each([
    ...Object.values(STATE_KINDS).map(({ example }) => example),
    "file:/srv/lintel/states",
    "file:///srv/a%20b",
    "file:../${portal.name}",
    "file:${env:LINTEL_VAR_DIR}",
    "file:./~states",
    "file:.github/states",
    "file:$${portal.key}",
    "https://states.example.com/$${portal.key}",
    "git:team/lintel-state@upstream",
    "git:lintel-${env:LINTEL_VAR_STAGE}",
    "postgresql://db.example.com/gis?schema=Acme%20GIS&sslmode=verify-full",
    "postgres:///gis?host=/var/run/postgresql",
    "postgres://${env:LINTEL_VAR_ROLE}:${env:LINTEL_VAR_WORD}@${env:LINTEL_VAR_HOST}:${env:LINTEL_VAR_PORT}/gis?schema=${env:LINTEL_VAR_SCHEMA}&sslmode=${env:LINTEL_VAR_MODE}",
    "postgres:///gis?host=${env:LINTEL_VAR_SOCKET}",
    "https://states.example.com/${portal.key}",
    "http://127.0.0.1:${env:LINTEL_VAR_PORT}/states/a",
    "http://${env:LINTEL_VAR_HOST}/states/a",
    "s3://bucket/x?endpoint=http://localhost:9000",
    "s3://bucket/x?endpoint=http://${env:LINTEL_VAR_HOST}",
    "s3://${env:LINTEL_VAR_BUCKET}/lintel?endpoint=${env:LINTEL_VAR_STORE}&region=${env:LINTEL_VAR_REGION}",
    "s3://gis-${env:LINTEL_VAR_STAGE}?path-style=${env:LINTEL_VAR_STYLE}",
    "${env:LINTEL_VAR_STATE}",
  ])("%s passes, and passes the schema", (address) => {
    expect(wrongAsWritten(address)).toBeUndefined();
    expect(address).toMatch(pattern);
  });
});

describe("an address that is wrong", () => {
  test.each([
    ["", "does not say what kind"],
    ["$${env:LINTEL_VAR_STATE}", "does not say what kind"],
    [".lintel", "does not say what kind"],
    ["gs://states", 'begins with "gs:"'],
    ["S3://bucket/x", "begins with capital letters"],
    ["file:", "names no folder"],
    ["file:///", "names no folder"],
    ["file:/", "names no folder"],
    ["file:~/states", 'begins with "~"'],
    ["file:.git", 'names the folder ".git"'],
    ["file:../.git/states", 'names the folder ".git"'],
    ["file:portal.yaml", "names a file, where a folder belongs"],
    ["file:{portal.key}", 'holds "{portal.key}", which is no reference'],
    ["https://states.example.com/{portal.key}", 'holds "{portal.key}", which is no reference'],
    ["https://states.example.com/$portal.key", 'holds "$portal.key", which is no reference'],
    ["git:HEAD", 'names "HEAD"'],
    ["s3://bucket/x?region=EU-Central-1", "names a region in capital letters"],
    ["s3://bucket/x?region=eu_central_1", "names no region"],
    ["file://files.example.com/states", "names another machine"],
    ["file:///a%2fb", "holds a code"],
    ["git:", "names no branch"],
    ["git:refs/heads/main", "names a ref"],
    ["git:https://git.example.com/x.git", "names a repository"],
    ["git://git.example.com/x.git", "names a repository"],
    ["git:a..b", 'because of its ".."'],
    ["git:-x", 'because of its "-"'],
    ["git:/x", 'because of its "/"'],
    ["git:x/", 'because of its "/"'],
    ["git:x.lock", 'because of its ".lock"'],
    ["git:.x", 'because of its "."'],
    ["git:a b", 'because of its " "'],
    ["git:x@", "has no name of a remote"],
    ["git:x@https://evil.example.org/x.git", "has no name of a remote"],
    ["git:x@--upload-pack=touch", "has no name of a remote"],
    ["git:x@ext::sh", "has no name of a remote"],
    ["git:@{u}", "names no branch"],
    ["postgres://db.example.com", "names no database"],
    ["postgres://db.example.com/gis?shcema=a", 'cannot take "shcema"'],
    ["postgres://lintel:word@db.example.com/gis", "holds a password"],
    ["https://states.example.com", "names no path"],
    ["http://states.example.com/a", "goes without https"],
    ["s3://bucket/x?endpoint=http://s3.example.com", "names an endpoint without https"],
    ["https://states.example.com/", "names no path"],
    ["https://me:word@states.example.com/a", "holds a user name or a password"],
    ["https://states.example.com/a#b", 'goes on with "#"'],
    ["https://states.example.com:port/a", "is no address that can be called"],
    ["https://states.example.com/a b", "holds a space"],
    ["s3://b/x", 'names the bucket "b", and a bucket\'s name has three letters at least'],
    ["s3://my_bucket/x", "holds a to z, digits, dots and dashes alone"],
    ["s3://-bucket/x", "begins and ends with a letter or digit"],
    ["s3:///x", "names no bucket"],
    ["s3://bucket:9000/x", "names a port"],
    ["s3://key:word@bucket/x", "holds keys or a user name"],
    ["s3://bucket/../x", 'names a folder with a "%", "." or ".."'],
    ["s3://bucket/x?regoin=eu-central-1", 'cannot take "regoin"'],
    ["s3://bucket/x?path-style=maybe", 'says a "path-style"'],
    ["s3://bucket/x?endpoint=ftp://s3.example.com", "names an endpoint that is no address"],
    ["s3://bucket/x?region=a.b", "names no region"],
  ])("%j %s", (address, why) => {
    const wrong = wrongAsWritten(address);
    expect(wrong?.why).toContain(why);
    expect(wrong?.help).toMatch(/\n {2}(state: |export )|change it if others have seen it/);
    // A sentence goes on with it, and none repeats a password.
    expect(`${wrong?.why}${wrong?.help}`).not.toMatch(/word@|:word/);
  });

  test.each([
    ["postgres://db.example.com/gis?shcema=a", '"schema"'],
    ["s3://bucket/x?regoin=eu-central-1", '"region"'],
    ["gti:lintel-state", '"git"'],
    ["postgre://db.example.com/gis", '"postgres"'],
  ])("%s gets the near name %s", (address, near) => {
    expect(wrongAsWritten(address)?.help).toContain(`Did you mean ${near}`);
  });
});
