import { describe, expect, it } from 'vitest';
import { type Dialect, dialectSchema, dialects } from './dialect.js';
import { parseYaml } from './document.js';

/** D-01, column by column. */
const expected: readonly Dialect[] = [
  {
    name: 'service',
    messagePrefix: 'service',
    passportSignatureField: 'service_signature',
    webhookSignatureHeader: 'x-service-signature',
    anchorDomain: 'SERVICE_BEATS_V1',
    receiptForm: 'string',
    vendors: ['vendor_1', 'vendor_2', 'vendor_3', 'vendor_4', 'vendor_5', 'vendor_6', 'vendor_7', 'vendor_8'],
    credentialType: 'ServicePassport',
    cryptosuite: 'eddsa-service-2026',
  },
  {
    name: 'provenonce',
    messagePrefix: 'provenonce',
    passportSignatureField: 'provenonce_signature',
    webhookSignatureHeader: 'x-provenonce-signature',
    anchorDomain: 'PROVENONCE_BEATS_V1',
    receiptForm: 'object',
    vendors: ['anthropic', 'openai', 'google', 'meta', 'mistral', 'xai', 'cohere', 'deepseek'],
    credentialType: 'ProvenoncePassport',
    cryptosuite: 'eddsa-provenonce-2026',
  },
];

describe('dialects', () => {
  it('are the two of D-01, name by name', () => {
    expect(Object.values(dialects)).toEqual(expected);
    expect(Object.keys(dialects)).toEqual(['service', 'provenonce']);
  });

  it('cannot be changed', () => {
    expect(() => Object.assign(dialects.service, { messagePrefix: 'other' })).toThrow(TypeError);
    expect(() => Object.assign(dialects.service.vendors, ['other'])).toThrow(TypeError);
  });

  it('satisfy the schema of a dialect that a user writes', () => {
    for (const dialect of expected) expect(dialectSchema.parse(dialect)).toEqual(dialect);
  });
});

describe('a dialect of a user', () => {
  const file = (changes: object): string => JSON.stringify({ ...expected[0], ...changes }, null, 1);

  it.each([
    ['an unknown name', { colour: 'red' }, 'colour'],
    ['an empty prefix', { messagePrefix: '' }, 'messagePrefix'],
    ['a header in capitals', { webhookSignatureHeader: 'X-Sig' }, 'webhookSignatureHeader'],
    ['a signature under a signed name', { passportSignatureField: 'agent_hash' }, 'passportSignatureField'],
    ['another form of receipt', { receiptForm: 'jwt' }, 'receiptForm'],
    ['seven vendors', { vendors: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, 'vendors'],
  ])('is refused for %s', (_, changes, key) => {
    const parsed = parseYaml(file(changes), 'dialect.json', dialectSchema);
    expect(parsed.ok ? [] : parsed.problems.map((problem) => problem.key)).toEqual([key]);
  });
});
