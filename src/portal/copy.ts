// What a portal answers → its JSON object, every value of it fit to be sent back as it came; refused where one is not.
import { Failure } from "../failure.js";
import { isJsonObject, type JsonObject } from "../json.js";
import { parseExactly, type Fault } from "../json-text.js";
import { showForeign } from "../redaction.js";
import { hostOf, secretsOf, type Answer } from "../request.js";
import { formatPath } from "../settings.js";
import { notUnderstood, refuse, type Exchange } from "./answer.js";

/** Far above what portals hold; what is done with each value and text must stay quick. */
const BOUNDS = { deepest: 200, mostValues: 100_000, longestText: 1_000_000 };

export function understandExactly(exchange: Exchange): JsonObject {
  refuse(exchange);
  const { answer } = exchange;
  if (answer.status >= 300 || !/^\uFEFF?\s*\{/.test(answer.text)) throw notUnderstood(exchange);
  const stray = strayFault(answer);
  if (stray) throw notToBeCopied(exchange, stray);
  const parsed = parseExactly(answer.text, BOUNDS);
  if ("fault" in parsed) throw notToBeCopied(exchange, parsed.fault);
  if (!isJsonObject(parsed.value)) throw notUnderstood(exchange);
  return parsed.value;
}

/** The text that is good ends there in the middle of something, so that reading it tells in what. */
function strayFault({ text, strayByteAt }: Answer): Fault | undefined {
  if (strayByteAt === undefined) return undefined;
  const good = Buffer.from(text).subarray(0, strayByteAt).toString("utf8");
  const parsed = parseExactly(good, BOUNDS);
  if ("value" in parsed) return undefined;
  const { fault } = parsed;
  return fault.offset < good.length
    ? fault
    : { ...fault, why: `byte ${strayByteAt + 1} is no UTF-8` };
}

function notToBeCopied({ request }: Exchange, { why, line, column, path }: Fault): Failure {
  const name = showForeign(formatPath(path), secretsOf(request), 200);
  const where = `line ${line}, column ${column}${path.length > 0 ? `, in "${name}"` : ""}`;
  return new Failure(
    "answer-not-understood",
    `The portal at "${hostOf(request)}" answered with settings that cannot be used: ${why} (${where}).`,
    "What a file does not set is sent back exactly as the portal wrote it, so its answer must be JSON in UTF-8, without names that stand twice. Look at what stands in front of the portal, or have the setting written anew.",
  );
}
