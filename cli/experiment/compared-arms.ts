/** The arms that a command compares, from folders of sweeps, and the measures that it is asked for. */

import type { ArmPair, ComparedArm } from '../../experiments/sweep/compare.js';
import type { SweepMeasure } from '../../results/sweep-result.js';
import { readSweepFolder } from '../../runs/experiment/sweep-folder.js';
import { Failure } from '../../runs/host/failure.js';

/** The places of two sweeps or arms. */
export const places = {
  a: { type: 'string', demandOption: true, describe: 'Folder of a sweep, or FOLDER@ARM' },
  b: { type: 'string', demandOption: true, describe: 'The other' },
} as const;

/** A test for the measures that are named. Without names every measure passes. */
export function wantedBy(names: readonly string[] | undefined): (measure: SweepMeasure) => boolean {
  if (names === undefined) return () => true;
  return ({ measure, group }) => names.includes(group === null ? measure : `${measure}.${group}`);
}

/** The arms to compare: the two that are named, or those of the same name in both folders. */
export function pairsOf(a: string, b: string): readonly ArmPair[] {
  const [ofA, ofB] = [armsAt(a), armsAt(b)];
  const [firstA, firstB] = [ofA[0], ofB[0]];
  if (firstA !== undefined && firstB !== undefined && ofA.length === 1 && ofB.length === 1) return [[firstA, firstB]];
  const pairs = ofA.flatMap((arm): ArmPair[] => {
    const other = ofB.find(({ arm: { name } }) => name === arm.arm.name);
    return other === undefined ? [] : [[arm, other]];
  });
  if (pairs.length > 0) return pairs;
  throw new Failure(`${a} and ${b} have no arm of the same name. Name one of each: FOLDER@ARM, by number or name.`);
}

/** The arms of `FOLDER` or `FOLDER@ARM`. An arm is named by its number or its name. */
function armsAt(place: string): readonly ComparedArm[] {
  const at = place.indexOf('@');
  const folder = at < 0 ? place : place.slice(0, at);
  const wanted = at < 0 ? undefined : place.slice(at + 1);
  const { plan, runs } = readSweepFolder(folder);
  const arms = plan.arms.map((arm) => ({ arm, runs: runs.filter((run) => run.arm === arm.arm) }));
  if (wanted === undefined) return arms;
  const found = arms.find(({ arm }) => arm.name === wanted) ?? arms.find(({ arm }) => String(arm.arm) === wanted);
  if (found !== undefined) return [found];
  throw new Failure(
    `${place}: there is no arm ${wanted}; known: ${arms.map(({ arm }) => `${arm.arm} (${arm.name})`).join(', ')}.`,
  );
}
