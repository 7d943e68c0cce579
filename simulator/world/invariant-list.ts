/** The invariants by name, and how often each was checked. How they are checked is in invariants/. */

/** Statements that hold in every run, whatever the scenario; the index is that of `Checks`. */
export const INVARIANTS = [
  {
    name: 'lamports-conserved',
    text: 'All balances add up to what was minted, and the service holds what was paid in fees.',
  },
  { name: 'splits-sum', text: 'The shares of the fees add up to the fees.' },
  {
    name: 'one-fee-a-payment',
    text: 'Every payment paid one fee, of its own amount, and no fee was booked without one.',
  },
  { name: 'frozen-are-silent', text: 'No heartbeat of a frozen agent is accepted.' },
  { name: 'interval', text: 'No two accepted heartbeats of an agent are closer than the minimum interval.' },
  { name: 'epoch-cap', text: 'No agent has more accepted heartbeats in an epoch than its class allows.' },
  { name: 'freeze-not-early', text: 'An agent is frozen only when it has missed more anchors than the DMS allows.' },
  { name: 'freeze-not-late', text: 'No running agent has missed more anchors than the DMS allows.' },
  { name: 'states-agree', text: "Every agent's status and heartbeat count are those that follow from its own calls." },
  { name: 'depth', text: 'A root has the root depth, and a child is one deeper than its parent.' },
  { name: 'watched-once', text: 'The DMS watches every running agent once, and no other.' },
  { name: 'sigils-unique', text: 'Every agent of a class has one SIGIL, and no two SIGILs have one name.' },
  { name: 'sponsorship-cap', text: 'No sponsorship has paid for more heartbeats of an epoch than its cap.' },
  { name: 'counts-agree', text: 'The counters of each population agree with its agents.' },
  {
    name: 'fee-of-tier',
    text: 'Every heartbeat costs what its place in the epoch does, or less where there are subsidies.',
  },
  { name: 'penalty-proven', text: 'No resync is accepted with fewer beats than are owed for the anchors missed.' },
  {
    name: 'complaints-silence',
    text: 'No heartbeat is accepted of an agent while a sustained complaint stands against it.',
  },
  { name: 'price-of-a-child', text: 'No child is authorized for fewer beats than its place in the family costs.' },
  { name: 'anchors-on-time', text: 'As many anchors are issued as are due, but for those of a stall.' },
] as const;

export const CONSERVED = 0;
export const SPLITS = 1;
export const ONE_FEE = 2;
export const SILENT = 3;
export const INTERVAL = 4;
export const CAP = 5;
export const NOT_EARLY = 6;
export const NOT_LATE = 7;
export const AGREE = 8;
export const DEPTH = 9;
export const WATCHED = 10;
export const SIGILS = 11;
export const SPONSORED = 12;
export const COUNTED = 13;
export const TIER_FEE = 14;
export const PENALTY = 15;
export const COMPLAINT = 16;
export const CHILD_PRICE = 17;
export const ON_TIME = 18;

/** The number of checks of each invariant, in the order of the list. */
export type Checks = Float64Array;

/** No checks yet. */
export function createChecks(): Checks {
  return new Float64Array(INVARIANTS.length);
}
