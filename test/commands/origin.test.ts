// How a page names the address that a repository was cloned from, without its credentials.
import { expect, test } from "vitest";
import { namedBy } from "../../src/cli/report-origin.js";

test.each([
  ["https://gitlab.example.com/gis/portals.git", "gis/portals", "gitlab.example.com/gis/portals"],
  ["https://ci:s3cret@gitlab.example.com/a/b/c/", "b/c", "gitlab.example.com/a/b/c"],
  ["https://s3cret@git.example.com:8443/gis?token=s3cret#x", "gis", "git.example.com:8443/gis"],
  ["ssh://git@example.org:2222/gis/portals", "gis/portals", "example.org:2222/gis/portals"],
  ["git@example.org:gis/portals.git", "gis/portals", "example.org/gis/portals"],
  ["ana:s3cr@et@example.org:gis/por@tals", "gis/por@tals", "example.org/gis/por@tals"],
])("%s", (remote, name, place) => {
  expect(namedBy(remote)).toEqual({ name, place });
});

test.each([
  "",
  "/srv/git/portals.git",
  "../portals",
  "file:///srv/git/portals.git",
  "C:/git/portals",
  "C:\\git\\portals",
  "https://ana:s3cret@",
  "https://ana:s3cret@example.org",
  "https://ana:s3 cret@exa mple.org/x",
  "ext::sh -c s3cret",
])("a place that only this machine knows, or none at all, is no name: %s", (remote) => {
  expect(namedBy(remote)).toBeUndefined();
});
