/** The search over the whole page: agents, sections, clauses, checks and requests, each with the place that shows it. */

import { z } from 'zod';
import { allChecks } from '../../conformance/checks/index.js';
import { clauses, sections } from '../../spec/clauses/index.js';
import { clausesOfNumber } from '../../spec/numbers.js';
import { protocolNumbers } from '../../spec/protocol.js';
import { type Action, action } from './action.js';
import type { LivingReference } from './reference/living-reference.js';
import { agentsOf } from './reference/service-views.js';

/** The kinds of things that a search finds. */
const FOUND_KINDS = ['agent', 'section', 'clause', 'check', 'request'] as const;

/** Something that a search found. */
export interface Found {
  readonly kind: (typeof FOUND_KINDS)[number];
  readonly id: string;
  readonly title: string;
}

/** Things of a kind that a search returns at most. */
const FOUND_MAX = 8;

/** The paths of the numbers that each clause states. */
const numbersOfClause = new Map<string, string[]>();
for (const { path } of protocolNumbers())
  for (const id of clausesOfNumber(path)) numbersOfClause.set(id, [...(numbersOfClause.get(id) ?? []), path]);

/** Returns the things whose texts have every word: those whose id has the first word come first. */
function having<T>(
  things: readonly T[],
  words: readonly string[],
  texts: (thing: T) => readonly string[],
): readonly T[] {
  const [first = ''] = words;
  const found = things
    .map((thing) => ({ thing, own: texts(thing).map((text) => text.toLowerCase()) }))
    .filter(({ own }) => words.every((word) => own.some((text) => text.includes(word))));
  const rank = (own: readonly string[]): number => (own[0] === first ? 0 : own[0]?.includes(first) === true ? 1 : 2);
  return found
    .toSorted((a, b) => rank(a.own) - rank(b.own))
    .slice(0, FOUND_MAX)
    .map(({ thing }) => thing);
}

/** Returns what a text finds, the best of each kind first. A text without words finds nothing. */
function foundBy(text: string, reference: LivingReference): readonly Found[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const agents = agentsOf(reference.shown.service, {
    ...{ search: words.join(' '), standing: 'any', order: 'row', descending: false },
    ...{ from: 0, count: FOUND_MAX },
  });
  const requests = having(reference.log.latest.toReversed(), words, ({ n, method, path, status, refused }) => [
    String(n),
    ...[method, path, String(status), refused?.code ?? '', refused?.clause ?? ''],
  ]);
  return [
    ...agents.rows.map(({ name, hash, standing }) => ({
      kind: 'agent' as const,
      id: hash,
      title: `${name}, ${standing}`,
    })),
    ...having(sections, words, ({ section, title }) => [section, title]).map(({ section, title }) => ({
      ...{ kind: 'section' as const, id: section, title },
    })),
    ...having(clauses, words, ({ id, text: said, section }) => [
      ...[id, said, section],
      ...(numbersOfClause.get(id) ?? []),
    ]).map(({ id, text: said }) => ({
      kind: 'clause' as const,
      id,
      title: said,
    })),
    ...having(allChecks, words, ({ id, title }) => [id, title]).map(({ id, title }) => ({
      kind: 'check' as const,
      id,
      title,
    })),
    ...requests.map(({ n, method, path, status, refused }) => ({
      ...{ kind: 'request' as const, id: String(n) },
      title: `${method} ${path} ${status}${refused === undefined ? '' : ` ${refused.code}`}`,
    })),
  ];
}

/** The action of the search. */
export function searchActions(reference: LivingReference): readonly Action[] {
  return [
    action(
      'search',
      'Finds agents, sections, clauses, checks and requests by words of their ids and texts, and clauses by their numbers, at most eight of each.',
      z.strictObject({ text: z.string().max(200) }),
      ({ text }) => ({ found: foundBy(text, reference) }),
    ),
  ];
}
