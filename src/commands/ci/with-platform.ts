// Opens the API of a platform, to whose host alone its token goes.
import type { Io } from "../../io.js";
import { apiAddress, isWithin } from "../../pipelines/api.js";
import { openAzure } from "../../pipelines/azure.js";
import { openGithub } from "../../pipelines/github.js";
import { openGitlab } from "../../pipelines/gitlab.js";
import type { PipelineKind } from "../../pipelines/pipeline.js";
import { needed, type Platform } from "../../pipelines/platform.js";
import { visible } from "../../lib/text.js";
import { openNetwork, type NetworkArguments } from "../../cli/open-run.js";
import { done } from "../../cli/result.js";
import type { Result } from "../command.js";

/** The platform itself sets them; LINTEL_ALLOWED_HOSTS is for the credentials of portals. */
export const ADDRESS: Readonly<Record<PipelineKind, string>> = {
  github: "GITHUB_API_URL",
  gitlab: "CI_API_V4_URL",
  azure: "SYSTEM_COLLECTIONURI",
};

const OPEN = { github: openGithub, gitlab: openGitlab, azure: openAzure };

type PlatformArguments = NetworkArguments & { readonly options: { readonly "dry-run": boolean } };

export async function withPlatform<T>(
  io: Io,
  call: PlatformArguments,
  kind: PipelineKind,
  work: (platform: Platform) => Promise<T>,
): Promise<T> {
  const base = apiAddress(needed(io.env, ADDRESS[kind]));
  await using network = openNetwork(io, call, "updating", { assertAllowed: isWithin(base) });
  const isDry = call.options["dry-run"];
  const dryRun = isDry ? (line: string) => io.stdout.write(`${visible(line)}\n`) : undefined;
  return await work(OPEN[kind](io, { http: network.http, dryRun }));
}

/** What was found or done, as all actions report it. */
export function said(message: string): Result {
  return done("ci", { message }, () => `${visible(message)}\n`);
}
