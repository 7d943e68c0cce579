/**
 * Draws changes of one or two numbers, and judges the reference under each by the checks that the change can reach, both with
 * the change, in this process: neither may disagree with the other, and the suite may not end with an error of its own.
 *
 * node dist/test/torture/overlays.js [--count N] [--seed N] [--all] [--whole] [--change PATH=VALUE[,PATH=VALUE]]... [--only GLOB]...
 *
 * `--all` takes every number at four values in place of drawing, `--change` one that is named; `--whole` runs all checks. Ends
 * with 1 for a disagreement, and with 2 for an error of the suite.
 */

import { parseArgs } from 'node:util';
import { allChecks } from '../../conformance/checks/index.js';
import { CHEAP, deploymentNames, loadReference, startInProcess } from '../../conformance/in-process/reference.js';
import { checksIn } from '../../conformance/run/in-dialect.js';
import { checksInReach } from '../../conformance/run/reach.js';
import { conform } from '../../conformance/run/runner.js';
import { selectChecks } from '../../conformance/run/select.js';
import type { Check } from '../../conformance/trial/check.js';
import { dialects } from '../../spec/dialect.js';
import { clausesOfNumber } from '../../spec/numbers.js';
import { brokenRelations, mergedOverlay, type Overlay, overlayOf, withOverlay } from '../../spec/overlay.js';
import { protocolNumbers } from '../../spec/protocol.js';
import { Chance } from '../faults/chance.js';
import { lighter } from '../fixtures/target.js';
import { valuesBeside } from './drawn-changes.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
    change: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', multiple: true, default: [] },
  },
});
const modules = await loadReference();

/** A check of more requests is run for the numbers that it states alone. */
const REQUESTS_MAX = 100;

/** Quick to judge, and near the numbers that the suite was written for. */
const base = mergedOverlay(lighter, CHEAP);
const numbers = protocolNumbers(withOverlay(base));

/** One change by the paths of its numbers. */
type Change = readonly (readonly [path: string, value: number])[];
const overlayFor = (change: Change): Overlay =>
  change.reduce<Overlay>((all, [path, value]) => mergedOverlay(all, overlayOf(path, value)), base);
const makesSense = (change: Change): boolean => brokenRelations(withOverlay(overlayFor(change))).length === 0;

function drawn(count: number, chance: Chance): readonly Change[] {
  // Constants have no other value.
  const free = numbers.filter(({ path, value }) => valuesBeside(path, value).length > 0);
  const one = (): Change[number] => {
    const { path, value } = chance.pick(free);
    return [path, chance.pick(valuesBeside(path, value))];
  };
  const changes: Change[] = [];
  while (changes.length < count) {
    const [first, second] = [one(), one()];
    const change = chance.below(2) === 0 || first[0] === second[0] ? [first] : [first, second];
    if (makesSense(change)) changes.push(change);
  }
  return changes;
}

const every = (): readonly Change[] =>
  numbers
    .flatMap(({ path, value }) => valuesBeside(path, value).map((each): Change => [[path, each]]))
    .filter(makesSense);

/** The outcome of one change: the number of checks that judged, and those that fail or end with an error. */
interface Drawn {
  readonly judged: number;
  readonly found: readonly { readonly id: string; readonly verdict: string; readonly text: string }[];
}

async function drawnOutcome(change: Change, seed: number): Promise<Drawn> {
  const protocol = withOverlay(overlayFor(change));
  const judged = new Set<string>();
  const found: Drawn['found'][number][] = [];
  const stated = new Set(change.flatMap(([path]) => clausesOfNumber(path)));
  const wanted = selectChecks(checksIn(allChecks, dialects.service), { only: values.only });
  const isShort = ({ requests, clauses }: Check): boolean =>
    requests <= REQUESTS_MAX || clauses.some((id) => stated.has(id));
  const chosen = values.whole ? wanted.filter(isShort) : checksInReach(wanted, stated);
  for (const deployment of deploymentNames) {
    const only = chosen.map(({ id }) => id).filter((id) => !judged.has(id));
    if (only.length === 0) break;
    const { target, send, close } = startInProcess(modules, { seed, numbers: protocol, deployment });
    try {
      const options = { seed, only, strict: true, toolVersion: 'test', nowWallMs: Date.now, transport: send };
      const { checks, stopped } = await conform(target, options);
      if (stopped !== undefined) found.push({ id: deployment, verdict: 'error', text: stopped });
      for (const check of checks) {
        const { id, verdict } = check;
        if (verdict !== 'not-tested' && verdict !== 'not-applicable') judged.add(id);
        if (verdict === 'fail' || verdict === 'advisory')
          found.push({ id, verdict, text: `${check.about}: expected ${check.expected}, got ${check.actual}` });
        if (verdict === 'error' || verdict === 'inconclusive') found.push({ id, verdict, text: check.reason });
      }
    } finally {
      await close();
    }
  }
  return { judged: judged.size, found };
}

const seed = Number(values.seed);
const named = values.change.map((text) =>
  text.split(',').map((each): Change[number] => {
    const [path = '', value] = each.split('=');
    return [path, Number(value)];
  }),
);
const changes = named.length > 0 ? named : values.all ? every() : drawn(Number(values.count), new Chance(seed));
let [failures, errors, judgements] = [0, 0, 0];
for (const change of changes) {
  const first = await drawnOutcome(change, seed);
  // A machine that is too busy to tell is asked once more.
  const isBusy = first.found.some(({ verdict }) => verdict === 'inconclusive');
  const { judged, found } = isBusy ? await drawnOutcome(change, seed) : first;
  judgements += judged;
  for (const { id, verdict, text } of found) {
    console.log(
      `${change.map(([path, value]) => `${path}=${value}`).join(' ')}: ${verdict} ${id}: ${text.slice(0, 400)}`,
    );
  }
  if (found.some(({ verdict }) => verdict === 'fail' || verdict === 'advisory')) failures += 1;
  else if (found.length > 0 || judged === 0) errors += 1;
}
console.log(
  `${changes.length} changes from seed ${seed}, ${judgements} checks judged: ${failures} with a false failure, ${errors} with an error of the suite.`,
);
process.exitCode = failures > 0 ? 1 : errors > 0 ? 2 : 0;
