/** PATCH /agent/metadata (4.11, 2.8): its refusals, and the evidence of its reply. */

import { capabilities, complianceRegimes, protocols, substrates } from '../../spec/vocabulary.js';
import type { Case, Operation } from '../case.js';
import { clauseOf } from '../evidence.js';
import { firstGeneration } from '../facts/rules.js';
import type { Agent, State } from '../facts/state.js';
import { any, type Known } from '../reading/known.js';
import { at, numberAt } from '../reading/values.js';

const IMMUTABLE = ['sigil', 'sigil_name', 'principal', 'tier', 'identity_class'] as const;

type Body = Readonly<Record<string, unknown>>;
/** A fault of a field's value. `also`: replaces the clause of the field, not that of the error row; `clauses`: replaces both. */
interface Fault {
  readonly also?: readonly string[];
  readonly clauses?: readonly string[];
  readonly decided?: string;
  when(value: unknown, state: State): Known;
}

const pointsOf = (text: string): number => [...text].length;
/** A fault of length. D-47 decides how characters are counted. */
const counted = (most: (state: State) => number, within: (value: unknown) => readonly string[]): Fault => ({
  clauses: [],
  decided: 'body.text.code-points',
  when: (value, state) =>
    within(value).some((text) => text.length > most(state) && pointsOf(text) <= most(state)) ? undefined : false,
});
const word = (words: readonly string[]): readonly Fault[] => [
  { when: (value) => (value === null ? undefined : !words.includes(value as string)) },
];
const textsIn = (value: unknown): readonly string[] => (typeof value === 'string' ? [value] : []);
const itemsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
const textCharsMax = ({ settings }: State): number => settings.protocol.metadata.textCharsMax;
const text: readonly Fault[] = [
  {
    when: (value, state) =>
      value === null ? undefined : typeof value !== 'string' || pointsOf(value) > textCharsMax(state),
  },
  counted(textCharsMax, textsIn),
  {
    clauses: ['metadata.free-text.min'],
    when: (value, { settings }) => textsIn(value).some((one) => one.length < settings.protocol.metadata.textCharsMin),
  },
  // The least length of a text is a decision.
  {
    clauses: [],
    decided: 'metadata.free-text.min',
    when: (value, { settings }) =>
      textsIn(value).some((one) => one.length === settings.protocol.metadata.textCharsMin) ? undefined : false,
  },
];
const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
const empty: Fault = {
  clauses: [],
  decided: 'metadata.empty-array',
  when: (value) => (Array.isArray(value) && value.length === 0 ? undefined : false),
};
const list: readonly Fault[] = [
  { when: (value) => (value === null ? undefined : !isListOfTexts(value)) },
  {
    clauses: ['metadata.modality.count'],
    when: (value, { settings }) => itemsIn(value).length > settings.protocol.metadata.modalityWordsMax,
  },
  {
    clauses: [],
    decided: 'metadata.modality.count',
    when: (value, { settings }) =>
      itemsIn(value).length === settings.protocol.metadata.modalityWordsMax ? undefined : false,
  },
  {
    clauses: ['metadata.modality.word'],
    when: (value, { settings }) =>
      itemsIn(value).some(
        (item) => !/^[a-z][a-z0-9_-]*$/.test(item) || item.length > settings.protocol.metadata.modalityCharsMax,
      ),
  },
  {
    clauses: [],
    decided: 'metadata.modality.word',
    when: (value) => (itemsIn(value).every((item) => /^[a-z]{1,16}$/.test(item)) ? false : undefined),
  },
  empty,
];
const toolCharsMax = ({ settings }: State): number => settings.protocol.metadata.toolCharsMax;
const tools: readonly Fault[] = [
  {
    when: (value, { settings }) =>
      value === null ? undefined : !isListOfTexts(value) || itemsIn(value).length > settings.protocol.metadata.toolsMax,
  },
  {
    also: ['metadata.field.tools.item'],
    when: (value, state) => itemsIn(value).some((item) => pointsOf(item) > toolCharsMax(state)),
  },
  counted(toolCharsMax, itemsIn),
  // The text does not say whether an item may be empty.
  { clauses: [], when: (value) => (itemsIn(value).includes('') ? undefined : false) },
  empty,
];
/** Whether a value is a vendor. The text gives their number: if the service uses the dialect's name for one, it does so for all. */
const isVendor = (value: unknown, { settings }: State): boolean =>
  (settings.dialect.vendors as readonly unknown[]).includes(value);
const vendor: readonly Fault[] = [
  {
    decided: 'dialect.vendors',
    when: (value, state) => {
      if (value === 'custom') return false;
      return isVendor(value, state) && !state.takesVendors ? undefined : false;
    },
  },
  // The text does not say whether other words are vendors.
  {
    when: (value, state) => {
      if (value === 'custom' || isVendor(value, state)) return false;
      return value !== null && (typeof value !== 'string' || !/^[a-z0-9_-]+$/.test(value)) ? true : undefined;
    },
  },
];
const url: readonly Fault[] = [
  ...text,
  { when: (value) => /\s/.test(String(value)) },
  {
    clauses: ['metadata.endpoint.absolute'],
    when: (value) => typeof value === 'string' && !/^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]/i.test(value),
  },
  {
    clauses: [],
    decided: 'metadata.endpoint.absolute',
    when: (value) => (/^https:\/\/[a-z0-9.]+(:\d+)?\/[!-~]*$/.test(String(value)) ? false : undefined),
  },
];

/** 2.8: the mutable fields, and their faults. */
const FIELDS: Readonly<Record<string, readonly Fault[]>> = {
  substrate: word(substrates),
  substrate_provider: vendor,
  substrate_model: text,
  capability: word(capabilities),
  capability_scope: text,
  tools,
  modality_input: list,
  modality_output: list,
  protocol: word(protocols),
  endpoint: url,
  compliance_regime: word(complianceRegimes),
  generation_trigger: text,
};
/** D-47: null is not a value of any field. */
const isNull: Fault = { clauses: ['metadata.null'], when: (value) => value === null };

/** The clause of a mutable field. */
const clauseOfField = (name: string): string => clauseOf('metadata.field', name);

/** The clause by which a value is accepted; for a list with an item of the greatest length, the clause about the item. */
function taken(name: string, value: unknown, state: State): string {
  const isLong = name === 'tools' && itemsIn(value).some((item) => pointsOf(item) === toolCharsMax(state));
  return isLong ? 'metadata.field.tools.item' : clauseOfField(name);
}

/** The mutable fields that a body sets. */
export const fieldsIn = (body: Body = {}): readonly string[] => Object.keys(body).filter((name) => name in FIELDS);

/** Whether a value of a mutable field that a body sets is refused. */
export function fieldIsBad(name: string, body: Body = {}, state: State): Known {
  return name in body && any(...[...(FIELDS[name] ?? []), isNull].map(({ when }) => when(body[name], state)));
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
      cause: 'no-field',
      when: ({ fields }) => fields.length === 0,
    },
    ...IMMUTABLE.map((name) => ({
      row: 'metadata/VALIDATION' as const,
      cause: 'immutable',
      also: [clauseOf('metadata.immutable', name)],
      when: (_: Change, { call }: Case): Known => call.body?.[name] !== undefined,
    })),
    ...Object.entries(FIELDS).flatMap(([name, faults]) =>
      [...faults, isNull].map(({ when, ...rest }) => ({
        row: 'metadata/VALIDATION' as const,
        also: [clauseOfField(name)],
        ...rest,
        when: ({ fields }: Change, { call, state }: Case): Known =>
          fields.includes(name) && when(call.body?.[name], state),
      })),
    ),
    {
      row: 'metadata/SIGIL_REQUIRED',
      also: ['metadata.sigil-needed'],
      when: ({ agent }) => agent.sigil === null,
    },
  ],
  open: ({ agent }) =>
    agent.frozen !== false ? 'the text does not say whether a frozen agent may change its metadata' : undefined,
  accepts: ({ fields }, { call, state }) => {
    const clauses = fields.map((name) => taken(name, call.body?.[name], state));
    return clauses.length === 1 ? [...clauses, 'metadata.body'] : ['metadata.body', ...clauses];
  },
  refused: ({ agent, fields }) => {
    // If a named field has another value later, this call has changed it.
    for (const name of fields) delete agent.shown[name];
  },
  accepted: ({ agent, fields }, { state, call, judgement }) => {
    const { json } = call;
    judgement.equals(
      'sigil',
      typeof agent.sigil?.sigil === 'string' ? agent.sigil.sigil : undefined,
      'metadata.reply.sigil',
      'metadata.reply',
    );
    const isCounted = fields.includes('generation_trigger');
    const isFirst = agent.generation === undefined;
    const generation = (agent.generation ?? firstGeneration(state, agent)) + (isCounted ? 1 : 0);
    const counter = isFirst ? 'metadata.generation.start' : 'metadata.field.generation-trigger.counter';
    judgement.equals('generation', generation, counter);
    const updated = at(json, 'updated_fields');
    // The text does not say whether the counter is a mutable field.
    const counted = isCounted && Array.isArray(updated) ? updated.filter((name) => name !== 'generation') : updated;
    const isSame = Array.isArray(counted) && counted.map(String).sort().join() === fields.toSorted().join();
    const areTexts = Array.isArray(updated) && updated.every((name) => typeof name === 'string');
    const listed = areTexts && isSame;
    judgement.that('updated_fields', listed, fields, updated, 'metadata.reply.updated-fields');
    for (const name of fields) agent.fields[name] = call.body?.[name];
    state.takesVendors ||= isVendor(call.body?.['substrate_provider'], state);
    agent.generation = numberAt(json, 'generation') ?? generation;
  },
};
