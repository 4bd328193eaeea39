// Finds where GitLab keeps the states of a project from the address of its clone.
import { expect, test } from "vitest";
import { keptByGitlab } from "../../src/commands/init/state-choice.js";

const at = (host: string, project: string) =>
  `https://${host}/api/v4/projects/${project}/terraform/state/\${portal.key}`;

test.each([
  ["https://gitlab.example.com/gis/portals.git", at("gitlab.example.com", "gis%2Fportals")],
  ["https://ci:s3cret@gitlab.example.com/a/b/c/", at("gitlab.example.com", "a%2Fb%2Fc")],
  ["https://git.example.com:8443/gis/portals", at("git.example.com:8443", "gis%2Fportals")],
  ["ssh://git@git.example.org:2222/gis/portals", at("git.example.org", "gis%2Fportals")],
  ["git@gitlab.example.com:gis/my.portals.git", at("gitlab.example.com", "gis%2Fmy.portals")],
])("%s", (remote, state) => {
  expect(keptByGitlab(remote)).toBe(state);
});

test.each([
  "",
  "/srv/git/portals.git",
  "C:/git/portals",
  "file:///srv/git/gis/portals.git",
  "http://gitlab.example.com/gis/portals.git",
  "https://gitlab.example.com/portals",
  "https://github.com/gis/portals",
  "git@github.com:gis/portals.git",
  "git@ssh.dev.azure.com:v3/gis/gis/portals",
  "https://gitlab.example.com/gis/por tals",
  "https://gitlab.example.com/gis/$(touch pwned)",
])("no place at GitLab: %s", (remote) => {
  expect(keptByGitlab(remote)).toBeUndefined();
});
