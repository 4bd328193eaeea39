// States on a branch of a repository: the contract, over a path; and what only git can get wrong.
import { describe } from "vitest";
import { gitBackend } from "../../src/state/git/git.js";
import { contract } from "./contract.js";
import { gitPlace } from "./repositories.js";

describe("git:, over file://", () => {
  contract(gitBackend, () => gitPlace());
});
