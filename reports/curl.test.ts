import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Exchange } from './conformance-result.js';
import { curlScript } from './curl.js';

const exchange = (body: string, more: Partial<Exchange> = {}): Exchange => ({
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:1/api/v1/register',
    headers: { authorization: 'Bearer [API_KEY_1]', 'x-registration-secret': '[REGISTRATION_SECRET]' },
    body,
  },
  response: { status: 200, headers: {}, body: '{"api_key":"[API_KEY_1]"}' },
  ...more,
});

const bare = (body: string): Exchange => {
  const { request, ...rest } = exchange(body);
  return { ...rest, request: { ...request, headers: {} } };
};

describe('curl script', () => {
  it('is empty for no request', () => {
    expect(curlScript([])).toBe('');
  });

  it('stands for secrets with variables and says what to set them to', () => {
    expect(curlScript([exchange('{}')])).toBe(
      [
        '# set API_KEY_1: api_key number 1 that the replies to the requests below hand out',
        '# set REGISTRATION_SECRET: from your target file',
        `curl -sS -i -X POST http://127.0.0.1:1/api/v1/register -H 'authorization: Bearer '"$API_KEY_1" -H 'x-registration-secret: '"$REGISTRATION_SECRET" --data-raw '{}'  # 200`,
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['[ALTERED_KEY_2]', '# set ALTERED_KEY_2: a key that the check made of another'],
    [
      '[SHARED_API_KEY_STARTED_1]',
      '# set SHARED_API_KEY_STARTED_1: the api_key of an agent that checks of the run share',
    ],
    ['[CONTROL_TOKEN]', '# set CONTROL_TOKEN: from your target file'],
    ['[HEADER_X_GATEWAY_KEY]', '# set HEADER_X_GATEWAY_KEY: from your target file'],
    ['[WEBHOOK_SECRET_3]', '# set WEBHOOK_SECRET_3: webhook_secret number 3 that'],
  ])('says of %s where it comes from', (body, line) => {
    expect(curlScript([bare(body)])).toContain(line);
  });

  it.each([`it's "quoted"`, '$HOME `id` $(id) \\', 'new\nline', '', ' -o /tmp/x', 'ünï 💥', "'''", '["API_KEY_1"]'])(
    'quotes a body for the shell: %j',
    (body) => {
      const shown = curlScript([bare(body)])
        .replace(/^curl .*? --data-raw /, 'printf %s ')
        .replace(/ {2}# 200\n$/, '\n');
      expect(execFileSync('sh', ['-c', shown], { encoding: 'utf8' })).toBe(body);
    },
  );

  it('puts the value of a variable between what stands around it', () => {
    const shown = curlScript([bare('{"key":"[API_KEY_1]"}')])
      .replace(/^(# .*\n)*curl .*? --data-raw /, 'API_KEY_1=pvn_a.b; printf %s ')
      .replace(/ {2}# 200\n$/, '\n');
    expect(execFileSync('sh', ['-c', shown], { encoding: 'utf8' })).toBe('{"key":"pvn_a.b"}');
  });

  it('says where protocol time goes on, and nothing where it stands still', () => {
    const at = (time: string): Exchange => ({ ...bare('{}'), at: `2026-01-01T${time}.000Z` });
    const lines = curlScript([at('00:00:00'), at('00:00:00'), at('01:01:00')]).split('\n');
    expect(lines.map((line) => line.slice(0, 4))).toEqual(['curl', 'curl', '# pr', 'curl', '']);
    expect(lines[2]).toBe('# protocol time goes on by 1 h 1 min, to 2026-01-01T01:01:00.000Z');
  });

  it('says which requests got no reply, and what a long transcript leaves out', () => {
    const { request } = exchange('{}');
    expect(curlScript([{ request, failure: 'no reply\nwithin 10 s' }])).toContain('# no reply: no reply within 10 s');
    const note: Exchange = {
      request: { method: 'NOTE', url: '', headers: {} },
      failure: '120 exchanges\nare left out',
    };
    expect(curlScript([note])).toBe('# 120 exchanges are left out\n');
  });
});
