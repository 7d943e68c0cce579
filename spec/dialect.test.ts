import { describe, expect, it } from 'vitest';
import { type Dialect, dialectSchema, dialects, protocolOf } from './dialect.js';
import { keptName, settingsShape } from './dialect-settings.js';
import { parseYaml } from './document.js';
import { protocol } from './protocol.js';

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
    expect(dialects.service).toEqual(expected[0]);
    expect(dialects.provenonce).toMatchObject(expected[1] as Dialect);
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

describe('the settings of a dialect (D-57)', () => {
  it('are all absent in service, where the specification holds', () => {
    const settings = Object.keys(settingsShape);
    expect(settings.filter((name) => name in dialects.service)).toEqual([]);
    expect(settings.filter((name) => !(name in dialects.provenonce))).toEqual([]);
    expect(dialectSchema.parse(dialects.provenonce)).toEqual(dialects.provenonce);
  });

  it('bring numbers, over which a user can lay others', () => {
    expect(protocolOf(dialects.service)).toEqual(protocol);
    expect(protocolOf(dialects.provenonce)).toMatchObject({
      agent: { depthMax: 10 },
      anchor: { graceAnchors: 6, intervalSec: 60 },
      sigil: { nameCharsMax: 63 },
      limits: { register: { count: 5, windowSec: 3_600 }, registerWalletFlow: { count: 10, windowSec: 3_600 } },
    });
    const mine = protocolOf(dialects.provenonce, { limits: { register: { count: 99 } } });
    expect(mine.limits).toMatchObject({ register: { count: 99 }, registerWalletFlow: { count: 10 } });
  });

  it.each([
    ['Zoë O’Brien_1-a.b', 'Zo OBrien_1-a.b'],
    ['😀', ''],
  ])('take out of a name what does not belong there: %s', (sent, kept) => {
    expect(keptName(dialects.provenonce, sent)).toBe(kept);
    expect(keptName(dialects.service, sent)).toBe(sent);
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
    ['a setting of another kind', { lineage: 'tree' }, 'lineage'],
    ['bounds that cross', { anchorDifficulty: { min: 2, max: 1 } }, 'anchorDifficulty'],
    ['characters that are no expression', { nameCharacters: 'z-a' }, 'nameCharacters'],
    ['seven vendors', { vendors: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, 'vendors'],
  ])('is refused for %s', (_, changes, key) => {
    const parsed = parseYaml(file(changes), 'dialect.json', dialectSchema);
    expect(parsed.ok ? [] : parsed.problems.map((problem) => problem.key)).toEqual([key]);
  });
});
