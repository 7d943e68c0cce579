/** The zod schema of `search.json`, by which a page reads it back. The types are in search-result.ts. */

import { z } from 'zod';
import type { Json } from './json-text.js';
import { type ResponseResult, SEARCH_SCHEMA, type SearchResult } from './search-result.js';

const pair = z.tuple([z.number(), z.number()]).readonly();
const set = z.record(z.string(), z.json() as unknown as z.ZodType<Json>);
const extreme = z.object({ measure: z.string(), unit: z.string(), mean: z.number(), t95: pair });
const point = z.object({
  set,
  seed: z.number(),
  runs: z.number(),
  goals: z.array(
    z.object({
      ...{ text: z.string(), unit: z.string(), mean: z.number(), t95: pair, limit: z.number() },
      state: z.enum(['reached', 'open', 'missed']),
    }),
  ),
  extreme: extreme.nullable(),
});
const stopped = z.enum(['reached', 'converged', 'points']);
const starts = z
  .object({
    ...{ begun: z.number(), ended: z.number(), agreeing: z.number(), tolerance: z.number(), distance: z.number() },
    values: pair.nullable(),
    ends: z.array(
      z.object({
        ...{ set, ended: z.boolean(), agrees: z.boolean() },
        ...{ value: z.number().nullable(), excess: z.number().nullable() },
      }),
    ),
    neighbour_steps: z.array(z.number()),
  })
  .nullable();
const common = {
  schema: z.literal(SEARCH_SCHEMA),
  ...{ version: z.string(), name: z.string(), question: z.string(), digest: z.string() },
};

/** The result of a search of either kind. */
export const searchResultSchema: z.ZodType<SearchResult | ResponseResult> = z.discriminatedUnion('find', [
  z.object({
    ...{ ...common, find: z.literal('numbers'), points: z.number(), stopped, starts },
    ...{ best: point, confirmed: point, reached: z.boolean() },
  }),
  z.object({
    ...{ ...common, find: z.literal('best_response'), population: z.string(), life: z.array(z.string()) },
    policies: z.array(
      z.object({
        ...{ class: z.string().nullable(), policy: z.string(), points: z.number(), stopped, starts, confirmed: point },
        verdict: z.enum(['best', 'dominated', 'no difference shown', 'another life']),
        more: extreme.nullable(),
      }),
    ),
    dominated_prices: z.array(
      z.object({
        ...{ class: z.string().nullable(), price: z.enum(['heartbeat', 'sigil', 'reissuance']) },
        ...{ paying: z.string(), avoiding: z.string(), more: extreme },
      }),
    ),
    classes_without_life: z.array(
      z.object({
        ...{ class: z.string(), closest: z.string(), with_cap: point, without_cap: point },
        cap_decides: z.boolean(),
      }),
    ),
    left: z.array(z.object({ policy: z.string(), reason: z.string() })),
  }),
]);
