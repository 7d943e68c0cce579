/** PATCH /agent/metadata (4.11, 2.8): its refusals, and the evidence of its reply. */

import { capabilities, complianceRegimes, protocols, substrates } from '../../spec/vocabulary.js';
import { type Known, not } from '../evidence.js';
import { at, numberAt } from '../reading/values.js';
import type { Operation, Refusal } from '../settle.js';
import type { Agent, State } from '../state.js';

const IMMUTABLE = ['sigil', 'sigil_name', 'principal', 'tier', 'identity_class'] as const;

type Body = Readonly<Record<string, unknown>>;
type Rule = (value: unknown, state: State) => Known;
const word =
  (words: readonly string[]): Rule =>
  (value) =>
    words.includes(value as string);
const text: Rule = (value, { settings }) => {
  if (typeof value !== 'string') return false;
  // D-47: an empty text, and how characters are counted, are decisions.
  const { textCharsMax } = settings.protocol.metadata;
  if ([...value].length > textCharsMax) return false;
  // How short a text may be is a decision, and so is how characters are counted.
  return value.length <= 1 || value.length > textCharsMax ? undefined : true;
};
const list: Rule = (value, { settings }) => {
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) return false;
  const { modalityWordsMax, modalityCharsMax } = settings.protocol.metadata;
  const isSure = value.every((item) => /^[a-z]+$/.test(item) && item.length <= modalityCharsMax);
  return value.length <= modalityWordsMax && isSure ? true : undefined;
};
const tools: Rule = (value, { settings }) => {
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) return false;
  const { toolsMax, toolCharsMax } = settings.protocol.metadata;
  if (value.length > toolsMax || value.some((item) => [...item].length > toolCharsMax)) return false;
  return value.some((item) => item === '' || item.length > toolCharsMax) ? undefined : true;
};
const vendor: Rule = (value) =>
  value === 'custom' ? true : typeof value === 'string' && /^[a-z0-9_-]+$/.test(value) ? undefined : false;
const url: Rule = (value, state) => {
  const isText = text(value, state);
  return isText === true ? (/^https:\/\/[a-z0-9.]+\//.test(String(value)) ? true : undefined) : isText;
};

/** 2.8: the mutable fields, with their clauses and what they may be. */
const FIELDS: Readonly<Record<string, readonly [clause: string, rule: Rule]>> = {
  substrate: ['metadata.field.substrate', word(substrates)],
  substrate_provider: ['metadata.field.substrate-provider', vendor],
  substrate_model: ['metadata.field.substrate-model', text],
  capability: ['metadata.field.capability', word(capabilities)],
  capability_scope: ['metadata.field.capability-scope', text],
  tools: ['metadata.field.tools', tools],
  modality_input: ['metadata.field.modality-input', list],
  modality_output: ['metadata.field.modality-output', list],
  protocol: ['metadata.field.protocol', word(protocols)],
  endpoint: ['metadata.field.endpoint', url],
  compliance_regime: ['metadata.field.compliance-regime', word(complianceRegimes)],
  generation_trigger: ['metadata.field.generation-trigger', text],
};

/** The mutable fields that a body sets. */
export const fieldsIn = (body: Body = {}): readonly string[] => Object.keys(body).filter((name) => name in FIELDS);

/** Whether a value of a mutable field that a body sets is refused. */
export function fieldIsBad(name: string, body: Body = {}, state: State): Known {
  const [, rule] = FIELDS[name] ?? [];
  return rule !== undefined && name in body && not(rule(body[name], state));
}

interface Change {
  readonly agent: Agent;
  readonly fields: readonly string[];
}

export const metadata: Operation<Change> = {
  ids: ['metadata'],
  facts: ({ call, agent }) => (agent === undefined ? undefined : { agent, fields: fieldsIn(call.body) }),
  refusals: [
    {
      row: 'metadata/VALIDATION',
      clauses: ['metadata.error.validation.no-field', 'metadata.body', 'metadata.error.validation.code'],
      when: ({ fields }) => fields.length === 0,
    },
    {
      row: 'metadata/VALIDATION',
      clauses: ['metadata.error.validation.immutable', 'metadata.error.validation.code'],
      when: (_, { call }) => IMMUTABLE.some((name) => call.body?.[name] !== undefined),
    },
    ...Object.entries(FIELDS).map(
      ([name, [clause]]): Refusal<Change> => ({
        row: 'metadata/VALIDATION',
        clauses: ['metadata.error.validation', clause, 'metadata.error.validation.code'],
        when: (_, { call, state }) => fieldIsBad(name, call.body, state),
      }),
    ),
    {
      row: 'metadata/SIGIL_REQUIRED',
      clauses: ['metadata.sigil-needed', 'metadata.error.sigil-required', 'metadata.error.sigil-required.code'],
      when: ({ agent }) => agent.sigil === null,
    },
  ],
  open: ({ agent }) => (agent.frozen !== false ? 'whether a frozen agent may change its metadata is open' : undefined),
  accepts: () => ['metadata.body'],
  accepted: ({ agent, fields }, { state, call, judgement }) => {
    const { json } = call;
    judgement.equals(json, 'ok', true, 'metadata.reply');
    judgement.equals(
      json,
      'sigil',
      typeof agent.sigil?.sigil === 'string' ? agent.sigil.sigil : undefined,
      'metadata.reply.sigil',
      'metadata.reply',
    );
    const isCounted = fields.includes('generation_trigger');
    const added = isCounted ? 1 : 0;
    if (agent.generation === undefined) {
      const { generationStart } = state.settings.protocol.metadata;
      // D-57: a purchase that sets the field counts, and does not show the counter.
      const before = generationStart + ('generation_trigger' in agent.fields ? 1 : 0);
      judgement.equals(json, 'generation', before + added, 'metadata.generation.start');
    } else judgement.equals(json, 'generation', agent.generation + added, 'metadata.field.generation-trigger.counter');
    const updated = at(json, 'updated_fields');
    // Whether the counter is one of them is open.
    const counted = isCounted && Array.isArray(updated) ? updated.filter((name) => name !== 'generation') : updated;
    const isSame = Array.isArray(counted) && counted.map(String).sort().join() === fields.toSorted().join();
    const areTexts = Array.isArray(updated) && updated.every((name) => typeof name === 'string');
    judgement.that('updated_fields', areTexts, 'strings', updated, 'metadata.reply.updated-fields');
    judgement.that('updated_fields', isSame, fields, updated, 'metadata.reply');
    for (const name of fields) agent.fields[name] = call.body?.[name];
    agent.generation = numberAt(json, 'generation');
  },
};
