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
});
