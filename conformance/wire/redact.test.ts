import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlScript } from './curl.js';
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
      authorization: 'Bearer [redacted]',
      'x-registration-secret': '[redacted]',
    });
    expect(redacted.request.body).toBe('twice [redacted] and [redacted]');
    expect(redacted.response).toMatchObject({ headers: { 'x-echo': '[redacted]' }, body: '{"api_key":"[redacted]"}' });
  });

  it('numbers what replies hand out, and leaves short values alone', () => {
    const made = redactor();
    made.learn({ token: 'short' });
    expect(made.pieces(`${KEY}-pvn_other.0123456789abcdef-short`)).toEqual([
      { secret: 'API_KEY_1' },
      { plain: '-' },
      { secret: 'API_KEY_2' },
      { plain: '-short' },
    ]);
  });
});

describe('curl script', () => {
  it('stands for secrets with variables and says what to set them to', () => {
    const script = curlScript([exchange('{}')], redactor());
    expect(script).toBe(
      [
        '# set API_KEY_1: api_key number 1 that the replies below hand out',
        '# set REGISTRATION_SECRET: from your target file',
        `curl -sS -i -X POST http://127.0.0.1:1/api/v1/register -H 'authorization: Bearer '"$API_KEY_1" -H 'x-registration-secret: '"$REGISTRATION_SECRET" --data-raw '{}'  # 200`,
        '',
      ].join('\n'),
    );
  });

  it.each([`it's "quoted"`, '$HOME `id` $(id) \\', 'new\nline', '', ' -o /tmp/x', 'ünï 💥', "'''"])(
    'quotes a body for the shell: %j',
    (body) => {
      const script = curlScript(
        [{ ...exchange(body), request: { ...exchange(body).request, headers: {} } }],
        redactor(),
      );
      const shown = script.replace(/^curl .*? --data-raw /, 'printf %s ').replace(/ {2}# 200\n$/, '\n');
      expect(execFileSync('sh', ['-c', shown], { encoding: 'utf8' })).toBe(body);
    },
  );

  it('says which requests got no reply', () => {
    const { request } = exchange('{}');
    expect(curlScript([{ request, failure: 'no reply\nwithin 10 s' }], redactor())).toContain(
      '# no reply: no reply within 10 s',
    );
  });
});
