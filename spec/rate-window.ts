/**
 * The forms that a rate limit's window may take. Section 8 has `10/hour` and leaves open which hour: each of them keeps that
 * rate. D-34 takes the first.
 */

/**
 * `first-request`: fixed, from the first request of a bucket. `clock`: fixed, from the full minute or hour. `sliding`: the
 * requests admitted in the last minute or hour. `refilling`: a bucket that refills all the time.
 */
export const rateWindows = ['first-request', 'clock', 'sliding', 'refilling'] as const;
export type RateWindow = (typeof rateWindows)[number];
