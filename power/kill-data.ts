/**
 * The kill data of the planted mistakes: by which requests, and by which checks, runs of the suite have noticed each of them. `npm run mutants --
 * --kills FILE` measures it, `-- --kill-data FILE` writes kills.json.
 */

import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** The version of the shape of `kills.json`. */
export const KILLS_SCHEMA = 'aips-lab/kills/1';

/**
 * A request that shows a mistake: places in the list of texts. The first is its endpoint, the second the reasons to refuse it, the others facts of its
 * situation (model/judge/situation.ts), all of which it has.
 */
const witness = z.array(z.int().nonnegative()).min(2).readonly();

/** A planted mistake, and what shows it. One without requests and checks was never noticed. */
const mistake = z.object({
  id: z.string(),
  /** The clause of the text that it breaks. */
  clause: z.string(),
  /** The requests of which nearly each one has shown it. */
  requests: z.array(witness).readonly().optional(),
  /** The checks that have found it, as places in the list of texts, where no such request is known. */
  checks: z.array(z.int().nonnegative()).readonly().optional(),
});

const killData = z.object({
  schema: z.literal(KILLS_SCHEMA),
  texts: z.array(z.string()).readonly(),
  mistakes: z.array(mistake).readonly(),
});

/** The content of `kills.json`. */
export type KillData = z.output<typeof killData>;

/** The places of the file, from the sources and from dist/. */
const places = ['./kills.json', '../../power/kills.json'].map((path) => new URL(path, import.meta.url));

let read: KillData | undefined;

/** The kill data of the package. */
export function shippedKills(): KillData {
  if (read !== undefined) return read;
  const file = places.find((place) => existsSync(place));
  if (file === undefined) throw new Error('the package lacks power/kills.json: install it again');
  read = killData.parse(JSON.parse(readFileSync(file, 'utf8')));
  return read;
}
