/** The arms that a command compares, from folders of sweeps, and the measures that it is asked for. */

import type { ArmPair, ComparedArm } from '../../experiments/sweep/compare.js';
import { subjectText } from '../../reports/experiment/subject.js';
import type { SweepMeasure } from '../../results/sweep-result.js';
import { readSweepFolder } from '../../runs/experiment/sweep-folder.js';
import { Failure } from '../../runs/host/failure.js';
import { parseDurationSec } from '../../scenarios/units.js';

/** The places of two sweeps or arms. */
export const places = {
  a: { type: 'string', demandOption: true, describe: 'Folder of a sweep, or FOLDER@ARM' },
  b: { type: 'string', demandOption: true, describe: 'The other' },
} as const;

/**
 * A test for the measures that are named: `frozen_share`, `uptime_share.workers`, or one of several times, `registered at 35d`. Without names every
 * measure passes. Refuses a name that no arm has.
 */
export function wantedBy(
  names: readonly string[] | undefined,
  pairs: readonly ArmPair[],
): (measure: SweepMeasure) => boolean {
  if (names === undefined) return () => true;
  const isNamed = (name: string, { measure, group, time_ms }: SweepMeasure): boolean => {
    const [subject, at] = name.split(' at ');
    const isTime = at === undefined || parseDurationSec(at) === time_ms / 1_000;
    return isTime && subject === (group === null ? measure : `${measure}.${group}`);
  };
  const all = pairs.flatMap((pair) => pair.flatMap(({ arm }) => arm.measures));
  const unknown = names.find((name) => !all.some((each) => isNamed(name, each)));
  if (unknown !== undefined) {
    const known = [...new Set(all.map((each) => subjectText(each, all)))];
    throw new Failure(`--measure ${unknown}: these sweeps have no such measure; known: ${known.join(', ')}.`);
  }
  return (measure) => names.some((name) => isNamed(name, measure));
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
