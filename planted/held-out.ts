/**
 * `--held-out FILE`: compares the power that the kill data of some mutants gives to runs of the suite with the share of other mutants that the same
 * checks have found. FILE is one that `--kills` measured.
 */
import { allChecks } from '../conformance/checks/index.js';
import { cheap, loadReference, startInProcess } from '../conformance/in-process/reference.js';
import { runSuite } from '../conformance/run/runner.js';
import { Draws } from '../conformance/trial/random.js';
import { Noticing } from '../power/noticing.js';
import { powerOf } from '../power/power.js';
import { percentText } from '../results/numbers.js';
import { killDataOf, killsIn } from './witnesses.js';

/** The runs that are compared. Each mutant was measured by the checks of its own endpoint and clause, so that runs of a few families cannot be. */
const RUNS: Readonly<Record<string, { readonly quick?: true; readonly bare?: true }>> = {
  full: {},
  quick: { quick: true },
  'by URL alone': { bare: true },
};

/** Prints predicted and measured shares. A third of the mutants is held out. */
export async function reportHeldOut(file: string, seed: number): Promise<boolean> {
  const draws = new Draws(`held out:${seed}`);
  const drawn = killsIn(file).map((kills) => ({ kills, isOut: Number.parseInt(draws.hex(4), 16) % 3 === 0 }));
  const [out, shipped] = [true, false].map((which) =>
    drawn.filter(({ isOut }) => isOut === which).map((each) => each.kills),
  );
  if (out === undefined || shipped === undefined) throw new RangeError('no mutant is drawn');
  const data = killDataOf(shipped);
  let isClose = true;
  for (const [name, options] of Object.entries(RUNS)) {
    const { noticing, checks } = await ranWith(options, new Noticing(data));
    const { all } = powerOf(noticing.noticed, data);
    const found = out.filter(({ checks: killers }) => killers.some((id) => checks.has(id))).length;
    const [predicted, measured] = [all.noticed / all.of, found / out.length];
    const error = Math.sqrt((measured * (1 - measured)) / out.length);
    console.log(
      `${name}: predicted ${percentText(predicted)} from ${all.of} mutants, measured ${percentText(measured)} of ${out.length} others ` +
        `(± ${percentText(1.96 * error)}), ${checks.size} checks`,
    );
    if (Math.abs(predicted - measured) > 0.03) isClose = false;
  }
  return isClose;
}

/** Runs checks against the reference without mistakes: what they would notice, and the checks that judged something. */
async function ranWith(
  options: (typeof RUNS)[string],
  noticing: Noticing,
): Promise<{ noticing: Noticing; checks: ReadonlySet<string> }> {
  const ran = new Set<string>();
  for (const deployment of ['devnet', 'webhooks', 'secret', 'mainnet', 'free'] as const) {
    const server = startInProcess(await loadReference(), { seed: 1, numbers: cheap, deployment });
    try {
      const target = options.bare === true ? { ...server.target, control: undefined } : server.target;
      const record = await runSuite(target as typeof server.target, {
        ...{ seed: 1, toolVersion: 'mutants', nowWallMs: Date.now, transport: server.send, unprobed: true },
        ...(options.quick === true ? { quick: true } : {}),
        checks: allChecks,
        onExchange: (judgement) => noticing.see(judgement),
      });
      for (const { id, verdict } of record.runs)
        if (verdict === 'pass') {
          ran.add(id);
          noticing.seeCheck(id);
        }
    } finally {
      await server.close();
    }
  }
  return { noticing, checks: ran };
}
