// Changes of the specification that are no numbers: the reference and the suite follow them, and each sees that the other does not.
import { describe, expect, it } from 'vitest';
import { loadReference, startInProcess } from '../conformance/in-process/reference.js';
import { conform } from '../conformance/run/runner.js';
import { mergedOverlay, type Overlay, withOverlay } from '../spec/overlay.js';
import type { Parts } from '../spec/parts.js';
import type { Protocol } from '../spec/protocol.js';

const cheap = { beat: { difficulty: 4 }, work: { difficultyMin: 4, receiptDifficultyMin: 4 } };

/**
 * A change, the checks that meet it, and those of them that see it where it is made on one side alone: `overdone` where the
 * reference has what nobody changed, if those are others.
 */
const changes: readonly (readonly [
  what: string,
  parts: Parts,
  only: readonly string[],
  sees: readonly string[],
  overdone?: readonly string[],
])[] = [
  [
    'status and code of error rows',
    {
      errors: {
        'heartbeat/HEARTBEAT_TOO_SOON': { status: 425, code: 'TOO_EARLY' },
        'sigil/SIGIL_ALREADY_EXISTS': { status: 422 },
        'spawn/RECEIPT_REQUIRED': { status: 400, code: 'WORK_MISSING' },
        'resync/INVALID_RECEIPT': { code: 'RECEIPT_REFUSED' },
        'reissue-proof/WALLET_REQUIRED': { status: 409, code: 'NO_WALLET' },
      },
    },
    ['heartbeat/too-soon', 'sigil/again', 'spawn/flow', 'resync/receipt-*', 'reissue-proof/wallet-required'],
    ['heartbeat/too-soon', 'sigil/again', 'spawn/flow'],
  ],
  [
    'a fourth class',
    { classes: { swarm_member: { cap: 7, feeLamports: 5_000_000 } } },
    ['sigil/class*', 'flag/filed', 'beat-status/cap-*', 'fees-summary/schedule'],
    ['fees-summary/schedule'],
  ],
  [
    'a class that is gone',
    { classes: { orchestrator: false } },
    ['sigil/classes', 'flag/filed', 'flag/pairs', 'beat-status/cap-*', 'fees-summary/schedule'],
    ['sigil/classes', 'fees-summary/schedule'],
  ],
  [
    'a tier of SIGILs that is new',
    { tiers: { gov: true } },
    ['sigil/tiers', 'flag/reporter-*'],
    ['sigil/tiers'],
    // Nobody tries every word that is no tier.
    [],
  ],
  [
    'tiers of SIGILs that are gone',
    { tiers: { eph: false, sbx: false, sov: false } },
    ['sigil/tiers', 'flag/reporter-*', 'flag/pairs'],
    ['sigil/tiers'],
  ],
  [
    'an event that is gone',
    { events: { 'agent.unfrozen': false } },
    ['partner-webhook/set', 'partner-webhook/refused'],
    ['partner-webhook/set'],
  ],
  [
    'modes that are switched off',
    {
      modes: {
        'register/operator': false,
        'register/ethereum': false,
        'wallet/operator': false,
        'resync/challenge': false,
      },
    },
    ['register/operator*', 'register/ethereum*', 'wallet/*', 'resync/challenge*', 'resync/receipt-*', 'sigil/sender-*'],
    ['register/operator', 'register/ethereum', 'wallet/operator', 'resync/challenge'],
  ],
];

/** Changes of rules, in the same form. */
const rules: readonly (readonly [what: string, rule: Overlay, only: readonly string[], sees: readonly string[]])[] = [
  [
    'a penalty that grows with the square of the absence',
    { parts: { formulas: { 'resync.penaltyBeats': 'ceil(missedAnchors * missedAnchors / 3)' } } },
    ['resync/penalty*', 'resync/insufficient*', 'resync/challenge'],
    ['resync/penalty', 'resync/penalty-shown'],
  ],
  [
    'a cost of children that grows by a sum',
    { parts: { formulas: { 'spawn.costBeats': '700 + 150 * depth + 90 * siblings' } } },
    ['spawn/cost-*', 'spawn/flow', 'beat-status/reply', 'at-once/receipt'],
    ['spawn/cost-depth', 'spawn/cost-siblings', 'beat-status/reply'],
  ],
  [
    'a fee for the first heartbeat of an epoch',
    { heartbeat: { epochFeeLamports: 70_000 } },
    ['heartbeat/too-soon', 'subsidy/scope', 'subsidy/sponsored', 'fees-summary/schedule'],
    ['heartbeat/too-soon'],
  ],
  [
    'a grace after the freeze',
    { dms: { graceAnchors: 30 } },
    ['dms/after-heartbeat', 'sponsor/child-froze', 'after/freeze-child', 'reissue-proof/no-heartbeat'],
    ['dms/after-heartbeat'],
  ],
  [
    'a fee of resyncs',
    { resync: { feeLamports: 40_000 } },
    ['resync/penalty*', 'resync/receipt-*', 'resync/challenge'],
    ['resync/penalty'],
  ],
  [
    'a deposit with a SIGIL',
    { deposit: { lamports: 7_000_000 } },
    ['sigil/classes', 'sigil/later', 'subsidy/scope', 'resync/penalty', 'after/sigil-child', 'fees-summary/split'],
    ['sigil/classes'],
  ],
  [
    'a tenth of each fee that is burnt',
    { feeSplit: { burntBps: 1_000 } },
    ['fees-summary/split*', 'heartbeat/too-soon'],
    ['fees-summary/split-second-year'],
  ],
];

/** The verdicts of some checks of a reference with one protocol, by what the suite holds it to. */
async function verdicts(numbers: Protocol, held: Protocol, only: readonly string[]): Promise<Map<string, string>> {
  const server = startInProcess(await loadReference(), { seed: 1, numbers, held });
  try {
    const options = { seed: 1, toolVersion: 'test', nowWallMs: Date.now, transport: server.send, unprobed: true };
    const { checks } = await conform(server.target, { ...options, only, strict: true });
    return new Map(checks.map(({ id, verdict }) => [id, verdict]));
  } finally {
    await server.close();
  }
}

const all = [
  ...changes.map(([what, parts, only, sees, overdone]) => [what, { parts }, only, sees, overdone] as const),
  ...rules.map(([what, rule, only, sees]) => [what, rule, only, sees, sees] as const),
];

describe.for(all)('%s', ([, rule, only, sees, overdone = sees]) => {
  const [stated, changed] = [withOverlay(cheap), withOverlay(mergedOverlay(cheap, rule))];

  it('reference and suite agree under the change', async () => {
    const found = await verdicts(changed, changed, only);
    const wrong = [...found].filter(([, verdict]) => !['pass', 'not-tested'].includes(verdict));
    expect(wrong).toEqual([]);
    for (const id of sees) expect([id, found.get(id)]).toEqual([id, 'pass']);
  });

  it('a reference that does not follow it fails, and one that follows what nobody changed', async () => {
    for (const [numbers, held, seen] of [
      [stated, changed, sees],
      [changed, stated, overdone],
    ] as const) {
      const found = await verdicts(numbers, held, sees);
      for (const id of seen) expect([id, found.get(id)]).toEqual([id, 'fail']);
    }
  });
});
