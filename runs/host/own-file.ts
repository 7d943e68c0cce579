/** Reads JSON files that this package wrote, with errors that say what to do: one that is cut off, of another version, or something else. */

import type { z } from 'zod';
import { isObject, otherFormat } from '../../spec/formats.js';
import { Failure } from './failure.js';
import { readJson } from './files.js';

/** A kind of file that this package writes. */
interface OwnFile<T> {
  /** In errors, such as "manifest". */
  readonly kind: string;
  /** The same in full, such as "the manifest.json of a simulation". */
  readonly what: string;
  /** The key of the format, and the format that is read here; absent for a file whose format is stated in another file. */
  readonly format?: readonly [key: string, value: string | number];
  readonly schema: z.ZodType<T>;
  /** The command that writes it. */
  readonly by: string;
}

/** The value of such a file, or a Failure. */
export function readOwnFile<T>(path: string, { kind, what, format, schema, by }: OwnFile<T>): T {
  const value = readJson(path, kind);
  const [key, wanted] = format ?? [];
  if (!isObject(value) || (key !== undefined && !Object.hasOwn(value, key)))
    throw new Failure(`${path}: is not ${what}. ${by} writes one.`);
  const other = key === undefined || wanted === undefined ? undefined : otherFormat(value[key], wanted);
  if (other !== undefined) throw new Failure(`${path}: is not ${what} that this version reads: it ${other}.`);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Failure(
    `${path}: is not ${what}: ${issue?.path.map(String).join('.')}: ${issue?.message}. ${by} writes one.`,
  );
}
