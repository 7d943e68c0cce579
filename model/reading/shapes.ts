/**
 * Adds our names of fields that the specification does not name to a reply with the target's names, so that clauses about these fields can be
 * judged. Fields that the text names are never renamed.
 */

import { type EndpointId, endpointOf } from '../../spec/endpoint-ids.js';
import { at } from './values.js';

/** By endpoint: the object in our form of the reply that gets the fields with names without a dot. */
const HOMES: Partial<Record<EndpointId, string>> = { 'beat-anchor': 'anchor', 'beats.beat-anchor': 'anchor' };

/** A reply with the fields of `names` (our path → the target's) under our names as well. */
export function shaped(id: EndpointId, json: unknown, names: Readonly<Record<string, string>> | undefined): unknown {
  if (names === undefined || typeof json !== 'object' || json === null) return json;
  const result = structuredClone(json) as Record<string, unknown>;
  for (const [ours, theirs] of Object.entries(names)) {
    const value = at(json, theirs) ?? within(json, theirs);
    if (value !== undefined) put(result, homeOf(id, ours), value);
  }
  return result;
}

function homeOf(id: EndpointId, name: string): string {
  const home = HOMES[endpointOf(id).id as EndpointId];
  return home === undefined || name.includes('.') ? name : `${home}.${name}`;
}

/** Finds a field by its name in the first object of a reply that has it. */
function within(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null || name.includes('.')) return undefined;
  for (const value of Object.values(json)) {
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, name)) return at(value, name);
  }
  return undefined;
}

function put(node: Record<string, unknown>, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.');
  if (first === '__proto__') return;
  if (rest.length === 0) {
    node[first] = value;
    return;
  }
  const inner = node[first];
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
  node[first] = next;
  put(next, rest.join('.'), value);
}
