// The topics of the manual, one page of docs/ each: what lintel help prints, and completion offers.
import { TEXTS } from "../../generated/docs/index.js";
import type { Paint } from "../report/text/paint.js";

export type Topic = keyof typeof TEXTS;

export const TOPICS = Object.keys(TEXTS) as Topic[];

/** Undefined where there is no such page. */
export async function topicText(name: string, paint: Paint): Promise<string | undefined> {
  const topic = TOPICS.find((each) => each === name);
  if (topic === undefined) return undefined;
  const { pageText } = await import("../report/text/page.js");
  return pageText((await TEXTS[topic]()).default, paint);
}
