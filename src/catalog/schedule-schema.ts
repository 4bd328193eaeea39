// Builds the JSON Schema of a schedule: settings for a time.
import type { JsonObject } from "../lib/json.js";
import { WEEKDAYS } from "../recurrence.js";
import { ANCHORS, object } from "./settings-schema.js";

const ZONE = {
  type: "string",
  minLength: 1,
  examples: ["Europe/Vienna", "America/New_York", "UTC"],
} as const;

/** A pattern cannot test whether a date and its time exist; another check does. */
export const TIME = {
  type: "string",
  pattern:
    "^2[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])?)?$",
} as const;

const DAY = {
  type: "string",
  pattern: "^2[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
} as const;

const CLOCK = { type: "string", pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$" } as const;

/** Almost twice as many as weekly windows in ten years. */
export const MOST_WINDOWS = 1_000;

export function scheduleSchema(): JsonObject {
  const window = object(
    {
      from: {
        ...TIME,
        description:
          "When the window opens, such as 2026-12-05T18:00 by the clocks of the time zone, or with an offset such as +01:00. This moment is part of it. A day alone, such as 2026-12-05, is the whole day.",
      },
      until: {
        ...TIME,
        description:
          'When the window closes, written as "from": from this moment on, what stands under "settings" is wanted again. A day alone is part of the window.',
      },
      every: recurrenceSchema(),
      between: object(
        {
          from: { ...DAY, description: "The first day on which the window may open." },
          until: { ...DAY, description: "The last day on which the window may open." },
        },
        { description: "The days between which a window comes again." },
      ),
      timeZone: {
        ...ZONE,
        description:
          'The time zone of "from" and "until", by its IANA name; that of the file when left out.',
      },
      settings: {
        $ref: "#/properties/settings",
        description:
          'What applies while the window is open. Each setting must stand under the file\'s own "settings" too, which says what is wanted before and after.',
      },
    },
    {
      title: "schedule.NAME",
      required: ["settings"],
      description: "A window: settings for a time, which end on schedule.",
    },
  );
  return {
    type: "object",
    description: "Settings for a time, each window by a name of its own.",
    patternProperties: ANCHORS,
    additionalProperties: window,
    maxProperties: MOST_WINDOWS,
  };
}

function recurrenceSchema(): JsonObject {
  return object(
    {
      weekday: { enum: WEEKDAYS, description: "The day of the week." },
      nth: {
        enum: [1, 2, 3, 4, 5, -1],
        description:
          "Which of these weekdays in a month, -1 for the last; every week when left out.",
      },
      day: {
        type: "integer",
        minimum: -1,
        maximum: 31,
        not: { type: "integer", const: 0 },
        description:
          "The day of the month, -1 for the last. A month without that day has no window.",
      },
      from: { ...CLOCK, description: 'When the window opens, such as "18:00".' },
      until: {
        ...CLOCK,
        description:
          'When the window closes, such as "22:00"; on the next day where it is before "from". Without both, the window is open for the whole day.',
      },
    },
    {
      description:
        "A window that comes again: each week, each month by weekday, or each month by day.",
    },
  );
}

export const TIME_ZONE: JsonObject = {
  ...ZONE,
  default: "UTC",
  description:
    "The time zone of the schedule's times, by its IANA name; a window may name another.",
};
