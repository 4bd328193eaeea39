// What is to be told → one line for people, or one for programs.
import type { Event } from "./event.js";
import type { News } from "./news.js";
import type { JsonObject } from "../../lib/json.js";
import type { Styles } from "../../report/styles.js";
import { oneLine } from "../../lib/text.js";

interface Telling {
  readonly nowMs: number;
  readonly paint: Pick<Styles, "time" | "bold" | "dim">;
}

/** What to do about it stands below, further in. */
export function lineOf({ about, kind, message, help }: News, { nowMs, paint }: Telling): string {
  const time = paint.dim(paint.time(new Date(nowMs).toISOString()));
  const name = about ? `${paint.bold(oneLine(about.portal.name))}  ` : "";
  const word = kind === "failed" || kind === "stopped" ? `${kind}: ` : "";
  const lines = (help ?? "").split("\n").filter((line) => line !== "");
  const below = lines.map((line) => `    ${line}\n`).join("");
  return `${time}  ${name}${word}${oneLine(message)}\n${below}`;
}

export function jsonLineOf(news: News, { nowMs }: Telling): string {
  return `${JSON.stringify({ formatVersion: 1, ...newsJson(news, nowMs) })}\n`;
}

/** The same for whoever is told of it later. */
export function eventJson(event: Event): JsonObject {
  return newsJson(event, event.timeMs);
}

function newsJson({ id, about, kind, message, help, more }: News, timeMs: number): JsonObject {
  return {
    time: new Date(timeMs).toISOString(),
    event: kind,
    ...(id !== undefined && { id }),
    ...(about && { portal: { ...about.portal, file: about.file } }),
    message,
    help: help ?? null,
    ...more,
  };
}
