// Links to commits and files on forges.
import { expect, test } from "vitest";
import { toText } from "../../../../src/lib/html.js";
import {
  commitHref,
  fileHref,
  renderCommit,
  type Repository,
} from "../../../../src/serve/dashboard/views/forge.js";
import { COMMIT } from "./sample.js";

test.each<[repository: Repository, commit: string, file: string]>([
  [
    { url: "https://github.com/gis/portals" },
    `https://github.com/gis/portals/commit/${COMMIT}`,
    `https://github.com/gis/portals/blob/${COMMIT}/portals/north%20%231.yaml`,
  ],
  [
    { url: "https://gitlab.example.com/gis/team/portals/" },
    `https://gitlab.example.com/gis/team/portals/-/commit/${COMMIT}`,
    `https://gitlab.example.com/gis/team/portals/-/blob/${COMMIT}/portals/north%20%231.yaml`,
  ],
  [
    { url: "https://codeberg.org/gis/portals.git" },
    `https://codeberg.org/gis/portals/commit/${COMMIT}`,
    `https://codeberg.org/gis/portals/src/commit/${COMMIT}/portals/north%20%231.yaml`,
  ],
  [
    { url: "https://bitbucket.org/gis/portals" },
    `https://bitbucket.org/gis/portals/commits/${COMMIT}`,
    `https://bitbucket.org/gis/portals/src/${COMMIT}/portals/north%20%231.yaml`,
  ],
  [
    { url: "https://dev.azure.com/gis/maps/_git/portals" },
    `https://dev.azure.com/gis/maps/_git/portals/commit/${COMMIT}`,
    `https://dev.azure.com/gis/maps/_git/portals?path=/portals/north%20%231.yaml&version=GC${COMMIT}`,
  ],
  [
    { url: "https://git.example.com/gis/portals", forge: "gitlab" },
    `https://git.example.com/gis/portals/-/commit/${COMMIT}`,
    `https://git.example.com/gis/portals/-/blob/${COMMIT}/portals/north%20%231.yaml`,
  ],
])("$url has addresses of commits and files", (repository, commit, file) => {
  expect(commitHref(repository, COMMIT)).toBe(commit);
  expect(fileHref(repository, COMMIT, "portals/north #1.yaml")).toBe(file);
});

test.each([
  "javascript:alert(1)//",
  "git@git.example.com:gis/portals.git",
  "mailto:ana@example.com",
])("%s is no link", (url) => {
  expect(commitHref({ url }, COMMIT)).toBeUndefined();
  expect(toText(renderCommit(COMMIT, { url }))).not.toContain("<a");
});

test("escapes text that is no commit, and does not link it", () => {
  const text = toText(renderCommit('"><script>', { url: "https://github.com/gis/portals" }));
  expect(text).not.toContain("<a");
  expect(text).not.toContain("<script>");
});

test("a commit with uncommitted changes links to the commit and names them", () => {
  const text = toText(renderCommit(`${COMMIT}-dirty`, { url: "https://github.com/gis/portals" }));
  expect(text).toContain(`/commit/${COMMIT}"`);
  expect(text).toContain("with uncommitted changes");
});
