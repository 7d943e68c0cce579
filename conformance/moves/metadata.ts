/** PATCH /agent/metadata (4.11): the mutable fields (2.8) with valid and invalid values, and the immutable fields. */

import type { Dialect } from '../../spec/dialect.js';
import type { Facts } from '../../spec/endpoint.js';
import type { Protocol } from '../../spec/protocol.js';
import { capabilities, complianceRegimes, protocols, substrates } from '../../spec/vocabulary.js';
import type { Move, Sender } from './move.js';

/** Changes metadata. */
export const change = ({ key }: Sender, body: unknown): Move => ({ endpoint: 'metadata', key, body });

/** A valid change for every SIGIL. */
export const FINE = { substrate: 'open' } as const;

/** A field with invalid and valid values. */
export type Values = readonly [field: string, refused: readonly unknown[], taken: readonly unknown[]];

/** The values of a field with a vocabulary. Its words are invalid in capitals, in a list, or joined by a comma. */
function words(field: string, vocabulary: readonly string[]): Values {
  const [word = '', other = ''] = vocabulary.toReversed();
  return [field, ['no such word', '', 7, word.toUpperCase(), [word], `${other},${word}`], vocabulary];
}

/** A character of the astral planes: one code point, two UTF-16 units, four bytes. */
const ASTRAL = '\u{1f7e2}';

/** The text fields and the endpoint, with values at the bounds of their lengths. */
export function texts({ metadata: { textCharsMax: most, textCharsMin: least } }: Protocol): readonly Values[] {
  const url = 'https://agent.example/';
  return [
    [
      'substrate_model',
      ['x'.repeat(most + 1), ASTRAL.repeat(most + 1), 7, ''],
      ['x'.repeat(least), ASTRAL.repeat(most)],
    ],
    ...['substrate_model', 'capability_scope', 'generation_trigger'].map(
      (field): Values => [field, ['x'.repeat(most + 1), 7], ['é'.repeat(most)]],
    ),
    [
      'endpoint',
      [url.padEnd(most + 1, 'x'), 7, 'not url', 'agent.example', '/a2a', 'https://'],
      [url.padEnd(most, 'x'), 'http://127.0.0.1:8080/', 'wss://agent.example/socket', 'grpc://agent.example:50051'],
    ],
  ];
}

/** The list fields, with lists and items at the bounds of their lengths. */
export function lists({ metadata }: Protocol): readonly Values[] {
  const { toolsMax, toolCharsMax, modalityWordsMax, modalityCharsMax } = metadata;
  // All different, since a server may keep a list as a set.
  const each = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `tool ${n}`);
  const copies = (count: number): readonly string[] => Array.from({ length: count }, () => 'text');
  const long = 'x'.repeat(toolCharsMax + 1);
  return [
    [
      'tools',
      [each(toolsMax + 1), 'tool', '', [7], [long], ['tool', long]],
      [['é'.repeat(toolCharsMax)], each(toolsMax)],
    ],
    ['tools', [], [[]]],
    ['modality_input', ['text', [7], copies(modalityWordsMax + 1)], [['text'], copies(modalityWordsMax)]],
    [
      'modality_output',
      ['text', [7], ['x'.repeat(modalityCharsMax + 1)], ['Text'], ['1d'], ['']],
      [['text'], ['x'.repeat(modalityCharsMax)], ['point-cloud_3d']],
    ],
    ['substrate', [null], ['open']],
  ];
}

/** The fields with a vocabulary, in groups that one agent can change within a minute. */
export const vocabularies = (dialect: Dialect): readonly (readonly Values[])[] => [
  [words('substrate', substrates), words('compliance_regime', complianceRegimes)],
  [words('substrate_provider', [...dialect.vendors, 'custom']), words('protocol', protocols)],
  [words('capability', capabilities)],
];

/** The immutable fields, with other values than an agent has. */
export const immutables = {
  sigil: 'other*other*org',
  sigil_name: 'other',
  principal: 'other',
  tier: 'org',
  identity_class: 'autonomous',
} as const;

/** All changes of one field, a valid one first, then changes of immutable fields and an empty change. */
export function changesOf({ protocol, dialect }: Facts): readonly Readonly<Record<string, unknown>>[] {
  const values = [...vocabularies(dialect).flat(), ...texts(protocol), ...lists(protocol)];
  const each = values.flatMap(([field, refused, taken]) => [...taken, ...refused].map((value) => ({ [field]: value })));
  const never = Object.entries(immutables).flatMap(([field, value]) => [
    { [field]: value },
    { ...FINE, [field]: value },
  ]);
  return [FINE, ...each, ...never, {}];
}
