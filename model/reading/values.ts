/** Values at places of a JSON value, where they are of the kind that is wanted. */

import { isAgentHash } from '../../conformance/assertions/field-tests.js';
import { at } from '../../conformance/assertions/reply.js';

export function numberAt(json: unknown, path: string): number | undefined {
  const value = at(json, path);
  return typeof value === 'number' ? value : undefined;
}

export function textAt(json: unknown, path: string): string | undefined {
  const value = at(json, path);
  return typeof value === 'string' ? value : undefined;
}

/** An agent hash in lower case; undefined for anything else. */
export function hashAt(json: unknown, path: string): string | undefined {
  const value = at(json, path);
  return isAgentHash.holds(value) ? String(value).toLowerCase() : undefined;
}
