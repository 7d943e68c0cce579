/**
 * The numbers of the second server, under the names that target files give them: those of the text, and its own choices where the text has
 * none. A test lays others over them; which rule reads a number is in the files of the operations.
 */

interface Limit {
  readonly count: number;
  readonly windowSec: number;
}
const perHour = (count: number): Limit => ({ count, windowSec: 3_600 });
const perMinute = (count: number): Limit => ({ count, windowSec: 60 });

const numbers = {
  anchor: { intervalSec: 60, beatsPerAnchor: 1 },
  heartbeat: {
    intervalBeatsMin: 10,
    epochBeats: 100_000,
    tier1HeartbeatsMax: 100,
    tier2HeartbeatsMax: 1_000,
    tier1FeeLamports: 500_000,
    tier2FeeLamports: 300_000,
    tier3FeeLamports: 200_000,
    narrowTaskCap: 1_000,
    autonomousCap: 5_000,
    orchestratorCap: 20_000,
  },
  sigil: {
    narrowTaskFeeLamports: 50_000_000,
    autonomousFeeLamports: 150_000_000,
    orchestratorFeeLamports: 350_000_000,
  },
  reissue: { feeLamports: 200_000 },
  // The text has no warning: nothing here reads this number.
  dms: { missedAnchorsMax: 60, warningAnchors: 48 },
  resync: { beatsPerMissedAnchor: 100, beatsMax: 10_000 },
  spawn: { baseBeats: 1_000, authorizationTtlSec: 900 },
  sponsor: { heartbeatsEpochMin: 1, heartbeatsEpochMax: 10_000, heartbeatsEpochDefault: 100, expiresHoursMin: 1 },
  flag: { breakerPendingMax: 20 },
  limits: {
    register: perHour(10),
    registerWalletFlow: perHour(30),
    registerToken: perHour(3),
    registerTokenGlobal: perHour(50),
    wallet: perHour(30),
    init: perHour(30),
    heartbeat: perMinute(60),
    sigil: perHour(5),
    reissueProof: perHour(10),
    spawn: perHour(5),
    beatsSubmit: perMinute(30),
    resyncChallenge: perMinute(5),
    resyncReceipt: perHour(10),
    metadata: perMinute(30),
    sponsorPost: perHour(10),
    sponsorDelete: perMinute(60),
    sponsorGet: perMinute(60),
    flag: perMinute(10),
    flagReporter: perHour(3),
    flagTarget: perHour(10),
    verifyBatch: perMinute(10),
    subsidy: perMinute(30),
    // The text has none of these two: many.
    passport: perMinute(1_000_000),
    workProof: perMinute(1_000_000),
  },
};

export type Numbers = typeof numbers;
export type LimitName = keyof Numbers['limits'];
type Some<T> = { readonly [K in keyof T]?: T[K] extends number ? number : Some<T[K]> };
/** Numbers in place of those of the text, nested as in a target file. */
export type OtherNumbers = Some<Numbers>;

/** The numbers with others laid over them. Throws for a number that the server does not have. */
export function numbersWith(others: OtherNumbers): Numbers {
  const laid = (own: object, over: object, path: string): object => {
    for (const key of Object.keys(over))
      if (!(key in own)) throw new RangeError(`the second server has no number ${path}${key}`);
    return Object.fromEntries(
      Object.entries(own).map(([key, value]: [string, unknown]) => {
        const other: unknown = (over as Record<string, unknown>)[key];
        if (other === undefined) return [key, value];
        return [key, typeof value === 'object' ? laid(value as object, other as object, `${path}${key}.`) : other];
      }),
    );
  };
  return laid(numbers, others, '') as Numbers;
}
