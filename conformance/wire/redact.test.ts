import { describe, expect, it } from 'vitest';
import { Redactor } from './redact.js';
import type { RawExchange } from './wire.js';

const SECRET = 'the-registration-secret';
const KEY = 'pvn_payload.0123456789abcdef';

function redactor(): Redactor {
  const made = new Redactor({ REGISTRATION_SECRET: SECRET, ADMIN_KEY: undefined });
  made.learn({ api_key: KEY, secret: 'f'.repeat(64), hash: '0x1' });
  made.learn({ api_key: 'pvn_other.0123456789abcdef' });
  return made;
}

const exchange = (body: string): RawExchange => ({
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:1/api/v1/register',
    headers: { authorization: `Bearer ${KEY}`, 'x-registration-secret': SECRET },
    body,
  },
  response: { status: 200, headers: { 'x-echo': KEY }, body: `{"api_key":"${KEY}"}` },
});

describe('redaction', () => {
  it('replaces every secret by value, wherever it stands', () => {
    const redacted = redactor().exchange(exchange(`twice ${KEY} and ${KEY}`));
    expect(redacted.request.headers).toEqual({
      authorization: 'Bearer [API_KEY_1]',
      'x-registration-secret': '[REGISTRATION_SECRET]',
    });
    expect(redacted.request.body).toBe('twice [API_KEY_1] and [API_KEY_1]');
    expect(redacted.response).toMatchObject({
      headers: { 'x-echo': '[API_KEY_1]' },
      body: '{"api_key":"[API_KEY_1]"}',
    });
  });

  it('numbers what replies hand out, and leaves short values alone', () => {
    const made = redactor();
    made.learn({ token: 'short' });
    expect(made.redact(`${KEY}-pvn_other.0123456789abcdef-short`)).toBe('[API_KEY_1]-[API_KEY_2]-short');
  });

  it('takes no name by which a reader would not know a secret', () => {
    expect(() => redactor().add('MY_KEY', KEY)).toThrow(RangeError);
  });

  it('shows 65,536 characters of a reply, and of the long replies of a run only so many in all', () => {
    const run = new Redactor();
    const lengthOf = (chars: number): number => {
      const reply = { status: 200, headers: {}, body: 'y'.repeat(chars) };
      const { response } = new Redactor().exchange({ ...exchange(''), response: reply }, run);
      return response?.body.replace(/… \(cut after \d+ characters\)$/, '').length ?? 0;
    };
    expect(lengthOf(100_000)).toBe(65_536);
    const shown = Array.from({ length: 600 }, () => lengthOf(100_000));
    expect(shown.reduce((sum, chars) => sum + chars, 0)).toBeLessThan(40_000_000);
    expect([lengthOf(100_000), lengthOf(1_000), lengthOf(1_001)]).toEqual([1_000, 1_000, 1_000]);
  });
});
