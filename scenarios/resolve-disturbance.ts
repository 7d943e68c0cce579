/**
 * Turns faults and interventions of a scenario file into the model's, and checks every reference to a population.
 * Their effects are in the simulator.
 */

import { unchangeable } from '../spec/overlay-changes.js';
import type { AffectedAgents, Intervention, ScenarioFault } from './disturbance.js';
import type { ScenarioFile } from './file-schema.js';
import { keyHolders } from './resolve-adaptation.js';
import { checkHold, resolveHold } from './resolve-hold.js';
import { type ReportProblem, resolveDuration } from './resolve-population.js';

type FaultFile = ScenarioFile['faults'][number];
type InterventionFile = ScenarioFile['interventions'][number];

/** Reports unknown populations, moments after the end, and protocol numbers that cannot change during a run. */
export function checkReferences(file: ScenarioFile, report: ReportProblem): void {
  const names = file.populations.map(({ name }) => name);
  const known = (name: string, path: readonly PropertyKey[]): boolean => {
    if (names.includes(name)) return true;
    report(path, `"${name}" is not a population here; known: ${names.join(', ')}`);
    return false;
  };
  const holders = keyHolders(file.populations);
  for (const { path, keys } of holders) {
    const { spawning, flagging } = keys;
    if (spawning !== undefined && known(spawning.into, [...path, 'spawning', 'into'])) {
      const child = file.populations.find(({ name }) => name === spawning.into);
      if (child?.arrivals.pattern !== 'spawned') {
        report([...path, 'spawning', 'into'], `"${spawning.into}" must have arrivals { pattern: spawned }`);
      }
    }
    if (flagging !== undefined) known(flagging.targets, [...path, 'flagging', 'targets']);
  }
  file.populations.forEach(({ name, arrivals }, i) => {
    const made = holders.some(({ keys }) => keys.spawning?.into === name);
    if (arrivals.pattern === 'spawned' && !made)
      report(['populations', i, 'arrivals'], 'no population spawns this one');
  });
  const lists = [
    ['faults', file.faults],
    ['interventions', file.interventions],
  ] as const;
  for (const [key, list] of lists) {
    list.forEach((each, i) => {
      if ('at' in each && each.at >= file.duration) report([key, i, 'at'], 'must be before the end of the scenario');
      const named = 'populations' in each ? (each.populations ?? []) : [];
      named.forEach((name, n) => {
        known(name, [key, i, 'populations', n]);
      });
    });
  }
  checkDisturbanceNames(file, report);
  const reissues = holders.some(({ keys }) => keys.reissue !== undefined);
  file.interventions.forEach((each, i) => {
    if (each.kind !== 'subsidy' || each.fee !== 'reissuance' || reissues) return;
    report(['interventions', i, 'fee'], 'has no effect: no population here has reissue');
  });
  file.interventions.forEach((each, i) => {
    if (each.kind !== 'protocol') return;
    for (const path of unchangeable(each.set)) {
      report(['interventions', i, 'set', ...path.split('.')], 'cannot change in the middle of a run');
    }
  });
  file.interventions.forEach((each, i) => {
    if (each.kind === 'hold') checkHold(each, (path, message) => report(['interventions', i, ...path], message));
  });
  file.faults.forEach((each, i) => {
    if (each.kind === 'payments' && each.late + each.dropped > 1) {
      report(['faults', i], 'has shares of late and dropped payments that are more than 1 together');
    }
  });
}

/** Kinds without random draws, which need no name of their own. */
const WITHOUT_DRAWS: ReadonlySet<string> = new Set(['anchor_stall', 'protocol', 'hold']);

/** Reports two of a list with one name, or two of a kind without any, where the name keys random draws. */
function checkDisturbanceNames(file: ScenarioFile, report: ReportProblem): void {
  for (const key of ['faults', 'interventions'] as const) {
    const seen = new Set<string>();
    file[key].forEach(({ kind, name }, i) => {
      if (name === undefined && WITHOUT_DRAWS.has(kind)) return;
      if (seen.has(name ?? kind)) {
        const path = name === undefined ? [key, i] : [key, i, 'name'];
        report(
          path,
          name === undefined ? `needs a name: another ${kind} has none either` : 'is the name of another one',
        );
      }
      seen.add(name ?? kind);
    });
  }
}

interface AffectedFile {
  readonly populations?: readonly string[] | undefined;
  readonly share: number;
}

function resolveAffected({ populations, share }: AffectedFile, names: readonly string[]): AffectedAgents {
  return { populations: (populations ?? names).map((name) => names.indexOf(name)).filter((i) => i >= 0), share };
}

/** A fault of a file. */
export function resolveFault(file: FaultFile, names: readonly string[]): ScenarioFault {
  const name = file.name ?? file.kind;
  switch (file.kind) {
    case 'outage':
      return { kind: 'outage', name, atSec: file.at, forSec: file.for, affected: resolveAffected(file, names) };
    case 'outages':
      return {
        kind: 'outages',
        name,
        up: resolveDuration(file.up),
        down: resolveDuration(file.down),
        affected: resolveAffected(file, names),
      };
    case 'anchor_stall':
      return { kind: 'anchor_stall', name, atSec: file.at, forSec: file.for, catchUp: file.catch_up };
    case 'payments': {
      const rates = {
        late: file.late,
        delay: resolveDuration(file.delay),
        dropped: file.dropped,
        retrySec: file.retry,
      };
      return { kind: 'payments', name, atSec: file.at, forSec: file.for, rates };
    }
    default:
      return file satisfies never;
  }
}

/** An intervention of a file. */
export function resolveIntervention(file: InterventionFile, names: readonly string[]): Intervention {
  const name = file.name ?? file.kind;
  switch (file.kind) {
    case 'protocol':
      return { kind: 'protocol', name, atSec: file.at, set: file.set };
    case 'revoke_keys':
      return { kind: 'revoke_keys', name, atSec: file.at, affected: resolveAffected(file, names) };
    case 'subsidy':
      return {
        kind: 'subsidy',
        name,
        atSec: file.at,
        affected: resolveAffected(file, names),
        feeType: file.fee,
        discountBps: file.discount_bps,
        floorLamports: file.floor ?? null,
        forSec: file.for ?? null,
      };
    case 'hold':
      return resolveHold(file, name, names);
    default:
      return file satisfies never;
  }
}
