/**
 * The best response of a population: reads its file against its scenario into a search for each class and policy, and says from the
 * confirming runs which policies, prices and caps are dominated. It plays nothing.
 */

import { stringify } from 'yaml';
import { z } from 'zod';
import type { Json } from '../../results/json-text.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { parseScenario } from '../../scenarios/schema.js';
import { type Parsed, type Problem, parseYaml, problemIn } from '../../spec/document.js';
import { DAY_SEC } from '../../spec/time.js';
import { type IdentityClass, identityClasses } from '../../spec/vocabulary.js';
import type { ArmSettings } from '../design/designs.js';
import { type Difference, pairedDifference } from '../statistics/difference.js';
import { type Goal, parseGoal } from './goal.js';
import type { SearchSource } from './numbers-search.js';
import { type PolicyFamily, type PriceName, policyFamily } from './policy-families.js';
import { type PolicyName, policyNames } from './policy-names.js';
import type { ResponseFile } from './search-file.js';
import type { Aim } from './searched-sweep.js';

/** A search for the numbers of one policy in one class. */
export interface PolicySearch {
  readonly identityClass: IdentityClass | null;
  readonly family: PolicyFamily;
  readonly aim: Aim;
  readonly scenarioText: string;
  readonly settingsAt: (point: readonly number[]) => ArmSettings;
}

/** The searches that a file asks for, one for each class and policy, and the policies left out. */
interface ResponseSearch {
  readonly searches: readonly PolicySearch[];
  /** Policies that are not for this population. */
  readonly left: readonly { readonly policy: PolicyName; readonly reason: string }[];
}

/** The searches of a file, or everything that is wrong with its population and its goals. */
export function planResponse(file: ResponseFile, source: SearchSource): Parsed<ResponseSearch> {
  const parsed = parseScenario(source.scenarioText, source.scenarioFile);
  if (!parsed.ok) return parsed;
  const scenario = parsed.value;
  const wrong: Problem[] = [];
  const blame = (path: readonly (string | number)[], message: string): void => {
    wrong.push(problemIn(source.text, source.file, path, message));
  };
  const own = scenario.populations.find(({ name }) => name === file.population);
  if (own === undefined) {
    blame(
      ['population'],
      `is not in ${source.scenarioFile}; known: ${scenario.populations.map(({ name }) => name).join(', ')}`,
    );
  } else if (own.spawned) blame(['population'], 'is of children, whose parents decide for them');
  const life = lifeOf(file, scenario, blame);
  if (own === undefined || wrong.length > 0) return { ok: false, problems: wrong };
  const yaml = parseYaml(source.scenarioText, source.scenarioFile, z.json() as unknown as z.ZodType<Json>);
  if (!yaml.ok) return yaml;
  const responding = {
    scenario: yaml.value as Readonly<Record<string, Json>>,
    ...{ population: own.name, count: own.count, protocol: scenario.protocol },
  };
  const left: ResponseSearch['left'][number][] = [];
  const searches = (file.policies ?? policyNames).flatMap((policy): readonly PolicySearch[] => {
    const family = policyFamily(responding, policy);
    if ('reason' in family) left.push({ policy, reason: family.reason });
    if ('reason' in family) return [];
    const aim = aimOf(family, life, own.count, scenario.durationSec);
    return (file.classes ?? [null]).map(
      (identityClass): PolicySearch => ({
        ...{ identityClass, family, aim, scenarioText: stringify(family.base, { aliasDuplicateObjects: false }) },
        settingsAt: (point) => ({
          ...(identityClass === null ? {} : { [`populations.${own.name}.class`]: identityClass }),
          ...family.settingsAt(point),
        }),
      }),
    );
  });
  return { ok: true, value: { searches, left } };
}

/** The goals of `life`: they are about the population as a whole, and name no group. */
function lifeOf(file: ResponseFile, scenario: Scenario, blame: (path: (string | number)[], message: string) => void) {
  const life: Goal[] = [];
  file.life.forEach((text, i) => {
    const read = parseGoal(text, scenario);
    if (!read.ok) blame(['life', i], read.message);
    else if (read.value.subject.group === null) life.push(read.value);
    else blame(['life', i], 'is about the population: name no group');
  });
  return life;
}

/** The goals of `life` for each group, and the costs of all groups: fees and work per agent and day. */
function aimOf({ groups, name }: PolicyFamily, life: readonly Goal[], count: number, durationSec: number): Aim {
  const goals = groups.flatMap((group) =>
    life.map((goal): Goal => ({ ...goal, text: inGroup(goal.text, group), subject: { ...goal.subject, group } })),
  );
  // A policy that makes its agents as children has to make them all.
  const all: Goal = {
    ...{ text: `registered >= ${count}`, comparison: '>=', value: count, aDay: false, unit: 'agents' },
    subject: { measure: 'registered', group: null, atSec: null },
  };
  const weight = DAY_SEC / (count * durationSec);
  const terms = groups.flatMap((group) => [
    { subject: { measure: 'income_lamports', group, atSec: null }, weight } as const,
    { subject: { measure: 'profit_lamports', group, atSec: null }, weight: -weight } as const,
  ]);
  const amount = { name: 'fees and work of an agent a day', unit: 'lamports', terms };
  return { goals: name === 'sponsoring' ? [...goals, all] : goals, extreme: { amount, sign: 1 } };
}

function inGroup(text: string, group: string): string {
  return text.trim().replace(/^[^\s<>=]+/, (measure) => `${measure}.${group}`);
}

/** The results of a policy in the confirming runs. */
export interface Confirmed {
  readonly search: PolicySearch;
  /** Whether all goals of the life are reached. */
  readonly lives: boolean;
  /** How far it is from them. */
  readonly excess: number;
  /** The cost in each run, in the order of replicates; runs of the same place share a seed. */
  readonly costs: readonly number[];
}

/** The verdict on a policy within its class. */
type ResponseVerdict =
  | { readonly verdict: 'best' | 'another life' }
  | { readonly verdict: 'dominated' | 'no difference shown'; readonly more: Difference };

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The cheapest policy that reaches all goals of `life`; undefined if none does. */
export function cheapest<C extends Confirmed>(list: readonly C[]): C | undefined {
  return list
    .filter(({ lives }) => lives)
    .reduce<C | undefined>(
      (best, each) => (best === undefined || meanOf(each.costs) < meanOf(best.costs) ? each : best),
      undefined,
    );
}

/** The verdict on each policy of a class, in their order. */
export function verdicts(list: readonly Confirmed[]): readonly ResponseVerdict[] {
  const best = cheapest(list);
  return list.map((each): ResponseVerdict => {
    if (best === undefined || !each.lives) return { verdict: 'another life' };
    if (each === best) return { verdict: 'best' };
    const more = pairedDifference(best.costs, each.costs);
    return { verdict: more.t95[0] > 0 ? 'dominated' : 'no difference shown', more };
  });
}

/** A price that an agent can avoid and still reach the goals of `life`. */
interface DominatedPrice<C extends Confirmed> {
  readonly price: PriceName;
  readonly paying: C;
  readonly avoiding: C;
  /** How much more the cheapest that pays costs than the cheapest that does not. */
  readonly more: Difference;
}

const PRICES: readonly PriceName[] = ['heartbeat', 'sigil', 'reissuance'];

/**
 * The prices that some policy of a class avoids, and reaches the goals of `life` for less. Only policies that pay the same prices except
 * for this one are compared.
 */
export function dominatedPrices<C extends Confirmed>(list: readonly C[]): readonly DominatedPrice<C>[] {
  return PRICES.flatMap((price) => {
    const found = list.flatMap(({ search: { family } }): readonly DominatedPrice<C>[] => {
      if (family.pays?.includes(price) !== true) return [];
      const paying = cheapest(list.filter((each) => paysExactly(each, family.pays ?? [])));
      const rest = family.pays.filter((other) => other !== price);
      const avoiding = cheapest(list.filter((each) => paysExactly(each, rest)));
      if (paying === undefined || avoiding === undefined) return [];
      const more = pairedDifference(avoiding.costs, paying.costs);
      return more.t95[0] > 0 ? [{ price, paying, avoiding, more }] : [];
    });
    return found.slice(0, 1);
  });
}

function paysExactly({ search: { family } }: Confirmed, prices: readonly PriceName[]): boolean {
  return family.pays?.length === prices.length && prices.every((price) => family.pays?.includes(price));
}

/** The protocol's number of the cap of each class (4.5). */
const CAPS: Readonly<Record<IdentityClass, string>> = {
  narrow_task: 'narrowTaskCap',
  autonomous: 'autonomousCap',
  orchestrator: 'orchestratorCap',
};
/** A cap that no agent reaches. */
const NO_CAP = 100_000_000;

/** A setting that removes the cap of a class, to see whether the cap is the reason why goals are missed. */
export function withoutCap(identityClass: IdentityClass): ArmSettings {
  return { [`protocol.heartbeat.${CAPS[identityClass]}`]: NO_CAP };
}

/** The one class of a population; null for a mix. */
export function classOf({ populations }: Scenario, population: string): IdentityClass | null {
  const own = populations.find(({ name }) => name === population);
  return identityClasses.find((name) => own?.classes[name] === 1) ?? null;
}
