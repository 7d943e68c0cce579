/** Lengths, lists and forms of the mutable fields (2.8): at their bound, and one past it. Vocabularies are in metadata.ts. */
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { look } from './lookup.js';
import { change, keptIs, metadataBase, updatedAre } from './metadata.js';

/** A character of the astral planes: one code point, two UTF-16 units, four bytes. */
const ASTRAL = '\u{1f7e2}';

/** Values that a field refuses and takes: the twins of one another. */
interface Bound {
  readonly word: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly refused: (t: Trial) => readonly unknown[];
  readonly accepted: (t: Trial) => readonly unknown[];
  readonly field: string;
}

const list = (count: number, item: string): string[] => Array.from({ length: count }, () => item);

/** A number of texts, no two of them the same. */
const each = (count: number, item: string): string[] => Array.from({ length: count }, (_, n) => `${item} ${n}`);

/** Text of a number of characters after a start. */
const filled = (start: string, chars: number, character = 'x'): string =>
  start + character.repeat(chars - start.length);

const textStarts = {
  substrate_model: '',
  capability_scope: '',
  endpoint: 'https://agent.example/',
  generation_trigger: '',
};

const texts = Object.entries(textStarts).map(
  ([field, start]): Bound => ({
    word: `text-${field.replaceAll('_', '-')}`,
    title: `${field} has at most 256 characters`,
    clauses: [`metadata.field.${field.replaceAll('_', '-')}`, 'metadata.error.validation'],
    field,
    refused: (t) => [filled(start, t.protocol.metadata.textCharsMax + 1), 7],
    // A URL is of ASCII; characters of other text have more bytes than one.
    accepted: (t) => [filled(start, t.protocol.metadata.textCharsMax, start === '' ? 'é' : 'x')],
  }),
);

const modalities = (['modality_input', 'modality_output'] as const).map(
  (field): Bound => ({
    word: field.replace('_', '-'),
    title: `${field} is a list of words, not a text`,
    clauses: [`metadata.field.${field.replace('_', '-')}`, 'metadata.error.validation'],
    field,
    refused: () => ['text', [7]],
    accepted: () => [['text']],
  }),
);

const bounds: readonly Bound[] = [
  ...texts,
  {
    word: 'endpoint-url',
    title: 'endpoint is a URL',
    clauses: ['metadata.field.endpoint', 'metadata.error.validation'],
    field: 'endpoint',
    refused: () => ['not url'],
    accepted: () => ['https://agent.example/a2a'],
  },
  {
    word: 'endpoint-absolute',
    title: 'endpoint is an absolute URL with a host, of any scheme',
    clauses: ['metadata.endpoint.absolute'],
    field: 'endpoint',
    refused: () => ['agent.example', '/a2a', 'https://'],
    accepted: () => ['http://127.0.0.1:8080/', 'wss://agent.example/socket', 'grpc://agent.example:50051'],
  },
  {
    word: 'text-shortest',
    title: 'Free text has at least one character',
    clauses: ['metadata.free-text.min'],
    field: 'substrate_model',
    refused: () => [''],
    accepted: (t) => ['x'.repeat(t.protocol.metadata.textCharsMin)],
  },
  {
    word: 'text-code-points',
    title: 'Free text is counted in code points',
    clauses: ['body.text.code-points'],
    field: 'substrate_model',
    refused: (t) => [ASTRAL.repeat(t.protocol.metadata.textCharsMax + 1)],
    accepted: (t) => [ASTRAL.repeat(t.protocol.metadata.textCharsMax)],
  },
  {
    word: 'tools',
    title: 'tools is a list of at most 32 texts',
    clauses: ['metadata.field.tools', 'metadata.error.validation'],
    field: 'tools',
    // Each another one: a list may be kept as a set.
    refused: (t) => [each(t.protocol.metadata.toolsMax + 1, 'tool'), 'tool', [7]],
    accepted: (t) => [each(t.protocol.metadata.toolsMax, 'tool')],
  },
  {
    word: 'tools-item',
    title: 'An item of tools has at most 64 characters',
    clauses: ['metadata.field.tools.item', 'metadata.error.validation'],
    field: 'tools',
    // Every item has its bound, and the list has no other.
    refused: (t) => [
      ['x'.repeat(t.protocol.metadata.toolCharsMax + 1)],
      ['tool', 'x'.repeat(t.protocol.metadata.toolCharsMax + 1)],
    ],
    accepted: (t) => [['é'.repeat(t.protocol.metadata.toolCharsMax)]],
  },
  ...modalities,
  {
    word: 'modality-count',
    title: 'A list of modalities has at most 16 words',
    clauses: ['metadata.modality.count'],
    field: 'modality_input',
    refused: (t) => [list(t.protocol.metadata.modalityWordsMax + 1, 'text')],
    accepted: (t) => [list(t.protocol.metadata.modalityWordsMax, 'text')],
  },
  {
    word: 'modality-word',
    title: 'A modality is a lower-case word of at most 32 characters',
    clauses: ['metadata.modality.word'],
    field: 'modality_output',
    refused: (t) => [['x'.repeat(t.protocol.metadata.modalityCharsMax + 1)], ['Text'], ['1d'], ['']],
    accepted: (t) => [['x'.repeat(t.protocol.metadata.modalityCharsMax)], ['point-cloud_3d']],
  },
  {
    word: 'null',
    title: 'A metadata change to null is refused',
    clauses: ['metadata.null'],
    field: 'substrate',
    refused: () => [null],
    accepted: () => ['open'],
  },
  {
    word: 'empty-list',
    title: 'A list of metadata may be empty, a text in its place not',
    clauses: ['metadata.empty-array'],
    field: 'tools',
    refused: () => [''],
    // It clears what was there.
    accepted: () => [['write'], []],
  },
];

export const metadataBoundChecks: readonly Check[] = bounds.map(
  ({ word, title, clauses, field, refused, accepted }): Check => ({
    ...metadataBase,
    id: `metadata/${word}`,
    title,
    clauses,
    requests: 15,
    refusal: true,
    async run(t) {
      const agent = await t.walletRoot({ sigil: 'narrow_task' });
      for (const value of refused(t)) {
        t.refused(await change(t, agent, { [field]: value }), 'metadata/VALIDATION', ...clauses);
      }
      // Clauses about the refusals are also about what is accepted.
      const fields = clauses.filter((id) => !id.includes('.error.'));
      const values = accepted(t);
      for (const value of values) {
        const reply = t.accepted(await change(t, agent, { [field]: value }), ...fields);
        updatedAre(t, reply, [field], ...fields);
      }
      const found = t.accepted(await look(t, 'verify', agent.hash));
      keptIs(t, found, field, values.at(-1), ...fields);
    },
  }),
);
