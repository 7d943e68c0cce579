// A heartbeat behaviour that a user writes: an agent keeps itself alive while its wallet holds more than a reserve, and then sleeps for a day at a
// time, frozen, until somebody sends it money.
//
//   aips simulate docs/examples/frugal.yaml --behaviours docs/examples/frugal.mjs

const DAY_SEC = 86_400;

/** @type {import('aips-lab/simulator').HeartbeatBehaviour} */
const frugal = {
  next({ nowSec, freezesAtSec, view, random }, { reserve, margin_sec: marginSec }) {
    if (view.walletLamports - view.costLamports(1) < reserve) return nowSec + DAY_SEC;
    // Up to a minute earlier at random, so that not all agents wake in the same second.
    return Math.max(nowSec + 1, freezesAtSec - marginSec - Math.floor(60 * random.uniform()));
  },
};

export const behaviours = { frugal };
