// A server with any one number of the protocol off by one, on either side, fails the check that pins the number. Where the target
// file states the higher number too, every check of it passes: the server obeys the number, in each reply that quotes it.
import { expect, it } from 'vitest';
import { allChecks } from '../conformance/checks/index.js';
import { CHEAP, loadReference, startInProcess } from '../conformance/in-process/reference.js';
import { conform } from '../conformance/run/runner.js';
import type { ConformanceResult } from '../results/conformance-result.js';
import { boundsOf } from '../spec/number-bounds.js';
import { beside, clausesOfNumber, pinOf } from '../spec/numbers.js';
import { brokenRelations, mergedOverlay, type Overlay, overlayOf, withOverlay } from '../spec/overlay.js';
import { protocolNumbers } from '../spec/protocol.js';
import { lighter } from './fixtures/target.js';

const modules = await loadReference();

/** Judges a server with some numbers by some checks of a suite that is given others. */
async function judged(numbers: Overlay, stated: Overlay, only: string[], strict = true): Promise<ConformanceResult> {
  const webhooks = allChecks.some(({ id, needs }) => only.includes(id) && needs.includes('webhooks'));
  const [server, held] = [withOverlay(numbers), withOverlay(stated)];
  const deployment = webhooks ? 'webhooks' : 'devnet';
  const { target, send, close } = startInProcess(modules, { seed: 1, numbers: server, held, deployment });
  try {
    const options = { seed: 1, only, strict, toolVersion: 'test', nowWallMs: Date.now, transport: send };
    return await conform(target, options);
  } finally {
    await close();
  }
}

/** Values that no check can tell from the specification's: what a kilobyte is, and a least that no proof of the suite comes near. */
const UNSEEN = ['registration.metadataBytesMax 4095', 'work.receiptDifficultyMin 99'];
/** Numbers that the suite takes from the text, as clients do; reference/http/unseen/numbers.test.ts shows that the server obeys them. */
const FROM_THE_TEXT =
  /^(agent\.(hashBytes|nameCharsMin|rootDepth|depthMax)|wallet\.publicKeyBytes|proof\.challengeChecks|verifyBatch\.hashesMin)$/;

/** The changes that all servers here share. How hard beats are matters to the numbers of beats and of work alone. */
const beneath = (path: string): Overlay => (/^(beat|work)\./.test(path) ? lighter : mergedOverlay(lighter, CHEAP));

const changes = protocolNumbers(withOverlay(lighter)).flatMap(({ path, value }) =>
  beside(value)
    .map((changed) => ({ path, value: changed, above: changed > value, numbers: changedTo(path, changed, value) }))
    .filter(({ numbers }) => brokenRelations(withOverlay(numbers)).length === 0)
    .filter((each) => each.value >= boundsOf(path).low && !UNSEEN.includes(`${path} ${each.value}`)),
);

/** Checks of more requests take minutes, and are run for the numbers that they pin alone. */
const REQUESTS_MAX = 100;

/** The numbers with one of them changed. The shares of a fee stay a whole. */
function changedTo(path: string, changed: number, value: number): Overlay {
  const numbers = mergedOverlay(beneath(path), overlayOf(path, changed));
  if (!/^feeSplit\.(operations|contributors|referral|developmentStart|treasuryStart)Bps$/.test(path)) return numbers;
  const rest = path === 'feeSplit.treasuryStartBps' ? { operationsBps: 3_000 } : { treasuryStartBps: 1_500 };
  const [[name, bps]] = Object.entries(rest) as [[string, number]];
  return mergedOverlay(numbers, overlayOf(`feeSplit.${name}`, bps - (changed - value)));
}

it.each(changes.map((change) => [change.path, change.value, change] as const))(
  'the check of %s notices %d',
  async (path, _value, { numbers, above }) => {
    const { check, advisory } = pinOf(path);
    const { checks, exit_status } = await judged(numbers, beneath(path), [check]);
    expect(checks).toMatchObject([{ id: check, verdict: 'fail' }]);
    expect(exit_status).toBe(1);
    if (!advisory || !above) return;
    // A number that only a decision gives is reported, and fails a strict run.
    const lenient = await judged(numbers, beneath(path), [check], false);
    expect(lenient).toMatchObject({ checks: [{ id: check, verdict: 'advisory' }], exit_status: 0 });
  },
);

const obeyed = changes.filter(({ path, above }) => above && !FROM_THE_TEXT.test(path));

it.each(obeyed.map((change) => [change.path, change.value, change] as const))(
  'with %s of %d, stated too, all that states it passes',
  async (path, _value, { numbers }) => {
    const clauses = clausesOfNumber(path);
    const { check } = pinOf(path);
    const stating = allChecks.filter(
      (one) => one.requests <= REQUESTS_MAX && one.clauses.some((id) => clauses.includes(id)),
    );
    const { checks } = await judged(numbers, numbers, [...new Set([check, ...stating.map(({ id }) => id)])]);
    expect(checks.find(({ id }) => id === check)).toMatchObject({ verdict: 'pass' });
    const fine = ['pass', 'not-applicable', 'not-tested'];
    expect(checks.filter(({ verdict }) => !fine.includes(verdict))).toEqual([]);
  },
);
