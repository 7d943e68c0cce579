// The penalty of a resync by the days of absence, from a table: the text's on the first day, and more on each of the next three.

/** Anchors of a day: one a minute. */
const DAY = 1_440;
/** The most beats for an absence of less than one day, two, three, and of any longer one. */
const MOST = [10_000, 15_000, 25_000, 50_000];

export default {
  'resync.penaltyBeats': ({ missedAnchors }, { resync }) => {
    const days = Math.floor(missedAnchors / DAY);
    return Math.min(resync.beatsPerMissedAnchor * missedAnchors, MOST[days] ?? MOST.at(-1));
  },
};
