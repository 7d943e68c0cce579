import { clauseById, clauses } from '../../spec/clauses/index.js';
import { type ErrorKey, errors } from '../../spec/errors.js';
import { type EndpointId, endpointOf } from '../protocol/endpoints.js';

/** Which clauses an assertion speaks about, as far as that follows from what it looks at. */

const ids: ReadonlySet<string> = new Set(clauses.map(({ id }) => id));

const kebab = (word: string): string => word.toLowerCase().replace(/^_/, '').replaceAll('_', '-');

/** Objects that several replies hold, by the field that they stand in. */
const objects: Readonly<Record<string, string>> = {
  passport: 'passport',
  'lineage-proof': 'passport',
  fee: 'fee',
  sigil: 'sigil',
  sponsorship: 'sponsor',
  sponsorships: 'sponsor',
  subsidy: 'subsidy',
};

/** Replies that are an object of section 2 as a whole. */
const wholes: Partial<Record<EndpointId, string>> = { register: 'agent' };

/**
 * The clauses of a field of a reply, by its dotted path: that of the field itself, else of the object that it stands in,
 * else of the reply. A clause that a check names beneath it, `agent.field.wallet-chain.none`, is meant before it.
 */
export function clausesOfField(
  endpoint: EndpointId,
  path: string,
  named: readonly string[] = [],
): readonly string[] | undefined {
  const { stem } = endpointOf(endpoint);
  const words = path
    .split('.')
    .filter((word) => !/^\d*$/.test(word))
    .map(kebab);
  const [first = '', ...rest] = words;
  const object = objects[first];
  const replies = [...new Set([`${endpoint}.reply`, `${stem}.reply`])];
  const prefixes = [...replies, `${wholes[endpoint] ?? stem}.field`];
  for (let length = words.length; length > 0; length -= 1) {
    const tail = words.slice(0, length).join('.');
    const inner = rest.slice(0, length - 1).join('.');
    const candidates = [
      ...(object === undefined || inner === '' ? [] : [`${object}.field.${inner}`]),
      ...prefixes.map((prefix) => `${prefix}.${tail}`),
    ];
    const found = candidates.find((id) => ids.has(id));
    if (found !== undefined) return beneath(found, named) ?? [found];
  }
  const whole = replies.find((id) => ids.has(id));
  if (whole !== undefined) return [whole];
  // An endpoint that answers in several forms: those of the check, spawn.probe.reply for one.
  const forms = named.filter((id) => id.startsWith(`${stem}.`) && id.endsWith('.reply'));
  return forms.length === 0 ? undefined : forms;
}

/** Refusals that hold for any endpoint, and where their clauses stand. */
const anywhere: Partial<Record<ErrorKey, string>> = {
  'any/AUTH_MISSING': 'auth.error.auth-missing',
  'any/RATE_LIMITED': 'limit.error.rate-limited',
  'any/BODY_TOO_LARGE': 'error.body-too-large',
  'any/CONTENT_TYPE_REQUIRED': 'error.content-type-required',
  'any/INVALID_JSON': 'error.invalid-json',
  'any/METHOD_NOT_ALLOWED': 'error.method-not-allowed',
  'any/NOT_FOUND': 'error.not-found',
};

/** The clauses of those named that state the status and code of a refusal; undefined where none does. */
export function clausesOfRefusal(key: ErrorKey, named: readonly string[]): readonly string[] | undefined {
  const { endpoint, code } = errors[key];
  return beneath(anywhere[key] ?? `${endpoint}.error.${kebab(code)}`, named);
}

/** The clauses of those named that rest on a decision; undefined where none does. */
export function clausesOfDecision(decision: string, named: readonly string[]): readonly string[] | undefined {
  const found = named.filter((id) => clauseById(id).decision === decision);
  return found.length === 0 ? undefined : found;
}

function beneath(id: string, named: readonly string[]): readonly string[] | undefined {
  const found = named.filter((one) => one === id || one.startsWith(`${id}.`));
  return found.length === 0 ? undefined : found;
}
