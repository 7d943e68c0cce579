// How strict the schemas of replies are. That the reference's replies fit them is shown wherever a test or the suite gets one
// (test/fixtures/documented.ts, test/plan-kept.slow.test.ts).
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schemaFaults } from '../../test/fixtures/json-schema.js';
import { type Dialect, dialects } from '../dialect.js';
import { protocol } from '../protocol.js';
import { mutableFields } from './identity-schemas.js';
import { endpoints } from './index.js';

/** A part of a JSON Schema. */
interface Node {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Node | false;
  readonly prefixItems?: readonly Node[];
}

const formsOf = (node: Node): readonly Node[] => (node.anyOf ?? node.oneOf)?.flatMap(formsOf) ?? [node];

function schemaOf(reply: z.ZodType): Node {
  return z.toJSONSchema(reply, { io: 'input', unrepresentable: 'any' }) as Node;
}

/** The places of a schema that may be left out, that may hold unknown keys, and that may be anything. */
function looseIn(schema: Node): readonly string[] {
  const found = new Set<string>();
  const visit = (node: Node, path: string): void => {
    for (const form of formsOf(node)) {
      if (form.type === 'object') {
        if (form.additionalProperties !== false) found.add(`${path} is open`);
        for (const [name, inner] of Object.entries(form.properties ?? {})) {
          const at = path === '' ? name : `${path}.${name}`;
          if (!form.required?.includes(name)) found.add(`${at} is optional`);
          visit(inner, at);
        }
      } else if (form.type === 'array') {
        for (const item of form.prefixItems ?? [form.items || {}]) visit(item, `${path}[]`);
      } else if (form.type === undefined && form.const === undefined && form.enum === undefined) {
        found.add(`${path} is anything`);
      }
    }
  };
  visit(schema, '');
  return [...found].toSorted();
}

const optional = (names: string, before = ''): string[] =>
  names.split(' ').map((name) => `${before}${name} is optional`);
const ofSigil = (before: string): string[] => optional(mutableFields.join(' '), before);

/** All that a reply may leave out or hold besides what sections 2 to 4 and the decisions list, by endpoint and status. */
const loose: Readonly<Record<string, readonly string[]>> = {
  'register 200': ['metadata is open'],
  'init 200': optional('already_initialized difficulty last_heartbeat_beat'),
  'heartbeat 200': optional('lineage_proof'),
  'heartbeat 429': optional('retry_after_ms'),
  'reissue-proof 200': optional('lineage_proof'),
  'spawn 402': optional('ok eligible progress_pct deficit'),
  'resync 402': optional('required_beats gap_anchors'),
  'passport 200': optional('lineage_proof'),
  'checkin 410': optional('code'),
  'verify-batch 200': ['results[].agent.metadata is open', ...ofSigil('results[].sigil.')],
  'status 200': ['metadata is open'],
  'status 404': optional('error code'),
  'verify 200': ['agent.metadata is open', ...ofSigil('sigil.')],
  'verify 404': optional('code'),
  'beat-anchor 200': optional('_note'),
  'beat-verify 200': optional('beats_checked reason'),
  'subsidy.post 200': optional('subsidy.valid_until'),
  'work-proof.post 200': optional('valid'),
  'beats.beat-anchor 200': optional('_note'),
  'beats.beat-verify 200': optional('beats_checked reason'),
  'beat-timestamp 200': optional('_note'),
  // D-08 does not say what a health reply holds.
  'health 200': [' is open'],
};

const repliesIn = (dialect: Dialect) =>
  endpoints.flatMap(({ id, replies }) =>
    Object.entries(replies({ protocol, dialect })).map(([status, reply]) => [`${id} ${status}`, reply] as const),
  );
const inService = new Map<string, z.ZodType>(repliesIn(dialects.service));

describe('a reply', () => {
  it.each([...inService])('of %s holds what is listed, of the types that are given', (name, reply) => {
    expect(looseIn(schemaOf(reply))).toEqual((loose[name] ?? []).toSorted());
  });

  it('is loose where the table says so alone', () => {
    expect(Object.keys(loose).filter((name) => !inService.has(name))).toEqual([]);
    const sample = z.object({ a: z.unknown(), b: z.array(z.looseObject({ c: z.string().optional() })) });
    expect(looseIn(schemaOf(sample))).toEqual([' is open', 'a is anything', 'b[] is open', 'b[].c is optional']);
  });
});

const HEX = 'c3'.repeat(32);
const TIME = '2026-01-01T00:00:00.000Z';

/** A place of a reply, and a value that the specification rules out there. */
const ruledOut: readonly (readonly [id: string, path: string, value: unknown, why: string])[] = [
  ['register', 'hash', HEX, 'an agent hash has 0x'],
  ['register', 'api_key', 'pvx_e30.00ff', 'a key starts with pvn_'],
  ['register', 'api_key', 'pvn_e30', 'a key is signed'],
  ['register', 'wallet_chain', 'bitcoin', 'there are two chains'],
  ['register', 'depth', -1, 'depth starts at 0'],
  ['register-token', 'token', 'ab', 'a token has 64 characters'],
  ['register-token', 'expires_in_sec', 299, 'a token lives 300 s'],
  ['init', 'genesis.index', 1, 'the first beat has index 0'],
  ['init', 'genesis.prev', HEX, 'nothing precedes the first beat'],
  ['init', 'difficulty', 999, 'difficulty is 1000'],
  ['heartbeat', 'ok', false, 'ok is true'],
  ['heartbeat', 'fee.tier', 4, 'there are three tiers'],
  ['heartbeat', 'fee.tier', 0, 'tiers start at 1'],
  ['heartbeat', 'passport.format_version', 2, 'the format is 1'],
  ['heartbeat', 'passport.identity_class', 'general', 'there are three classes'],
  ['heartbeat', 'passport.issued_at', TIME, 'issued_at is in milliseconds'],
  ['heartbeat', 'passport.service_signature', `${'Ab+/'.repeat(21)}Ab==`, 'the signature is hex'],
  ['sigil', 'sigil.tier', 'gov', 'there are five tiers'],
  ['sigil', 'sigil.sigil', 'name-acme-org', 'a SIGIL is name*principal*tier'],
  ['sigil', 'fee.tier', 1, 'the fee of a SIGIL has no tier'],
  ['metadata', 'updated_fields', ['tier'], 'the tier is immutable'],
  ['metadata', 'generation', 0, 'generations start at 1'],
  ['sponsor.post', 'sponsorship.status', 'revoked', 'a new sponsorship is active'],
  ['sponsor.post', 'sponsorship.max_heartbeats_epoch', 10_001, 'a cap is at most 10,000'],
  ['sponsor.post', 'sponsorship.expires_at', 1, 'expires_at is ISO 8601'],
  ['sponsor.post', 'sponsorship.created_at', TIME, 'created_at is for listings'],
  ['flag', 'flag_id', '42', 'an id has the shape of a UUID'],
  ['flag', 'status', 'sustained', 'a new flag is pending'],
  ['subsidy.post', 'subsidy.discount_bps', 0, 'a discount is at least 1'],
  ['subsidy.post', 'subsidy.fee_type', 'spawn', 'there are three types of fee'],
  ['partner-webhook.put', 'webhook_secret', 'ab', 'the secret has 32 bytes'],
  ['partner-webhook.put', 'events', ['agent.thawed'], 'there are four events'],
  ['beat-anchor', 'anchor.hash', `0x${HEX}`, 'a chain hash has no 0x'],
  ['beat-anchor', 'anchor_interval_sec', 61, 'anchors are a minute apart'],
  ['beat-status', 'whitelist.deadline_anchors', 61, 'the deadline is 60 anchors'],
];

describe('a value of a reply', () => {
  const at = (nodes: readonly Node[], name: string): readonly Node[] =>
    nodes.flatMap(formsOf).flatMap(({ properties }) => properties?.[name] ?? []);

  it.each(ruledOut)('of %s: %s may not be %j, since %s', (id, path, value) => {
    const schema = schemaOf(inService.get(`${id} 200`) as z.ZodType);
    const names = path.split('.');
    const inner = names.slice(0, -1).reduce(at, [schema]);
    const name = names.at(-1) as string;
    expect(inner.length).toBeGreaterThan(0);
    for (const node of at(inner, name)) expect(schemaFaults(node as Record<string, unknown>, value)).not.toEqual([]);
  });

  it('is under the name, and in the form, of the dialect', () => {
    const [service, provenonce] = [dialects.service, dialects.provenonce].map((dialect) =>
      JSON.stringify(Object.fromEntries(repliesIn(dialect).map(([name, reply]) => [name, schemaOf(reply)]))),
    );
    for (const [text, own, other] of [
      [service, 'service_signature', 'provenonce_signature'],
      [provenonce, 'provenonce_signature', 'service_signature'],
    ]) {
      expect([text?.includes(`"${own}"`), text?.includes(`"${other}"`)]).toEqual([true, false]);
    }
    const receiptIn = (dialect: Dialect) =>
      at([schemaOf(new Map(repliesIn(dialect)).get('work-proof.post 200') as z.ZodType)], 'receipt').map(
        ({ type }) => type,
      );
    expect([receiptIn(dialects.service), receiptIn(dialects.provenonce)]).toEqual([['string'], ['object']]);
  });
});
