/** The units of time, each written once: names end in the unit that they count. */

export const MINUTE_SEC = 60;
export const HOUR_SEC = 3_600;
export const DAY_SEC = 86_400;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
