/**
 * The registry: entries of implementations, each with a recording and no verdict, and their judgement by this version (`registry.json`), as
 * schemas and the types that follow. Entries are read and judged in runs/registry.
 */

import { z } from 'zod';
import { jsonText } from './json-text.js';

/** The versions of the shapes. They change when a field changes its meaning or goes. */
export const ENTRY_SCHEMA = 'aips-lab/registry-entry/1';
export const REGISTRY_SCHEMA = 'aips-lab/registry/1';

/** The name of a folder: no path, and no hidden file. */
const NAME = /^[a-z0-9][a-z0-9._+-]{0,63}$/;
const name = z
  .string()
  .regex(NAME, 'must be 1 to 64 lower-case letters, digits or . _ + -, and begin with a letter or digit');
const hex = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 digest: 64 lower-case hex digits');
const url = z
  .string()
  .max(200)
  .refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), 'must be an http or https URL');

/** Whether a text can be the name of an implementation or of a version. */
export const isEntryName = (text: string): boolean => NAME.test(text);

/** A file `entry.yaml`: the implementation, and by which suite, text and names its recording was made. */
export const entrySchema = z.strictObject({
  schema: z.literal(ENTRY_SCHEMA),
  implementation: name.describe('the name of the folder above the version'),
  version: name.describe('the name of the folder of the entry'),
  url: url.describe('the page of the project, if it has one').exactOptional(),
  licence: z
    .string()
    .regex(/^[A-Za-z0-9.+() -]{1,80}$/, 'must be an SPDX expression, such as MIT')
    .describe('of the implementation, as an SPDX expression'),
  recorded: z.iso.date().describe('the day of the recording in UTC'),
  dialect: name.describe('the dialect of the target, service for the words of the text'),
  recorded_by: z
    .strictObject({ version: z.string().regex(/^[\w.+-]{1,64}$/), suite: hex, text: hex })
    .describe('the version of aips-lab that recorded, and the digests of its suite and text'),
  recording: z.strictObject({
    file: z.string().regex(/^[\w.-]{1,120}\.aips\.gz$/, 'must be the name of a file that ends in .aips.gz'),
    sha256: hex.describe('of the file'),
    digest: hex.describe('that in the last line of the recording'),
  }),
});

/** The content of an `entry.yaml`. */
export type Entry = z.output<typeof entrySchema>;

const count = z.int().nonnegative();
const counts = z.object({ total: count, judged: count, hold: count, fail: count });
const ids = z.array(z.string()).readonly();

const judged = z.object({
  /** 0: no clause fails; 1: one does; 2: the recording could not be judged. */
  exit_status: z.literal([0, 1, 2]),
  must: counts,
  decision: counts,
  /** The must clauses of each section that has some. */
  sections: z.array(counts.extend({ section: z.string(), title: z.string() })).readonly(),
  /** The must clauses that pass and that fail. All others were not judged. */
  holds: ids,
  fails: ids,
  /** How many requests of this version the recording has no reply to. They are not judged. */
  unshown: count,
});

const row = entrySchema
  .pick({
    implementation: true,
    version: true,
    url: true,
    licence: true,
    recorded: true,
    dialect: true,
    recorded_by: true,
  })
  .extend({
    /** The checks that were recorded: a profile of the suite, whether one judgement a clause, and whether a part of them was chosen. */
    profile: z.string(),
    quick: z.boolean(),
    part: z.boolean(),
    same_suite: z.boolean(),
    /** The text has changed since: the entry says nothing about the present one until it is recorded again. */
    expired: z.boolean(),
    /** The released version of the text that it was recorded by; absent where that was between releases. */
    text_version: z.string().exactOptional(),
    /** Paths from the folder of registry.json. */
    page: z.string(),
    badge: z.string(),
    judged,
  });

/** An entry that was judged again by this version. */
export type RegistryRow = z.output<typeof row>;

const refused = z.object({ entry: z.string(), problems: z.array(z.string()).readonly() });

/** An entry that was not judged, with every reason. */
export type RefusedEntry = z.output<typeof refused>;

/** The shape of `registry.json`. Rows of one implementation follow one another, the newest first. */
export const registrySchema = z.object({
  schema: z.literal(REGISTRY_SCHEMA),
  tool_version: z.string(),
  /** Digests of the suite and the text that judged. */
  suite: z.string(),
  text: z.string(),
  entries: z.array(row).readonly(),
  refused: z.array(refused).readonly(),
});

/** All entries as this version judges them. */
export type Registry = z.output<typeof registrySchema>;

/** `registry.json`: the fields of the contract and no other, in its order. Throws on a value that breaks the schema. */
export function registryJson(registry: Registry): string {
  return jsonText(registrySchema.parse(registry));
}
