import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../results/conformance-result.js';
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

/** The lines of a script after its begin, and those of its begin. */
function partsOf(script: string): { readonly head: string; readonly body: string } {
  const at = script.search(/^(?:send -X|advance \d|# protocol|\w+=\$\(aips tools wallet sign)/m);
  return { head: script.slice(0, at), body: script.slice(at).replace(/\n\)\n(?:# In the reply .*\n)?$/, '\n') };
}

/** The word for the shell after --data-raw, as a shell reads it. */
function bodySent(script: string, before = ''): string {
  const shown = partsOf(script)
    .body.replace(/^send .*? --data-raw /, `${before}printf %s `)
    .replace(/ {2}# 200\n$/, '\n');
  return execFileSync('sh', ['-c', shown], { encoding: 'utf8' });
}

const replied = (request: object, body: unknown, more: Partial<Exchange> = {}): Exchange => ({
  request: { method: 'POST', url: 'http://127.0.0.1:1/x', headers: {}, body: JSON.stringify(request) },
  response: { status: 200, headers: {}, body: JSON.stringify(body) },
  ...more,
});

describe('curl script', () => {
  it('is empty for no request', () => {
    expect(curlScript([])).toBe('');
  });

  it('has secrets that no reply hands out as variables, and says what to set them to', () => {
    const { head, body } = partsOf(curlScript([exchange('{}')]));
    expect(head).toContain(
      `: "\${API_KEY_1:?api_key number 1 that the replies to the requests below hand out}"\n: "\${REGISTRATION_SECRET:?from your target file}"\n`,
    );
    expect(body).toBe(
      `send -X POST http://127.0.0.1:1/api/v1/register -H 'authorization: Bearer '"$API_KEY_1" -H 'x-registration-secret: '"$REGISTRATION_SECRET" --data-raw '{}'  # 200\n`,
    );
  });

  it('ends at once where such a variable is not set', () => {
    const run = spawnSync('sh', ['-c', curlScript([exchange('{}')])], { encoding: 'utf8', env: {} });
    expect(run.status).not.toBe(0);
    expect(run.stderr).toContain('API_KEY_1: api_key number 1');
  });

  it('ends at once where it is pasted into a shell, which goes on', () => {
    const pasted = `${curlScript([exchange('{}')])}echo goes on\n`;
    const run = spawnSync('sh', ['-s'], { encoding: 'utf8', input: pasted, env: { PATH: process.env['PATH'] } });
    expect(run.stdout).toBe('goes on\n');
    expect(run.stderr).not.toContain('curl');
  });

  it('says expected and actual values again in its last line', () => {
    const marks = new Map([[1, ['failed: status: expected 429, got 200']]]);
    expect(curlScript([bare('{}'), bare('{}')], marks)).toMatch(
      /\n\)\n# In the reply to POST http:\S+: failed: status: expected 429, got 200\n$/,
    );
  });

  it.each([
    ['[ALTERED_KEY_2]', 'a key that the check made of another'],
    ['[SHARED_API_KEY_STARTED_1]', 'the api_key of an agent that checks of the run share'],
    ['[CONTROL_TOKEN]', 'from your target file'],
    ['[HEADER_X_GATEWAY_KEY]', 'from your target file'],
    ['[WEBHOOK_SECRET_3]', 'webhook_secret number 3 that'],
  ])('says of %s where it comes from', (body, meaning) => {
    expect(curlScript([bare(body)])).toContain(`: "\${${body.slice(1, -1)}:?${meaning}`);
  });

  it.each([`it's "quoted"`, '$HOME `id` $(id) \\', 'new\nline', '', ' -o /tmp/x', 'ünï 💥', "'''", '["API_KEY_1"]'])(
    'quotes a body for the shell: %j',
    (body) => {
      expect(bodySent(curlScript([bare(body)]))).toBe(body);
    },
  );

  it('puts the value of a variable between what is around it', () => {
    expect(bodySent(curlScript([bare('{"key":"[API_KEY_1]"}')]), 'API_KEY_1=pvn_a.b; ')).toBe('{"key":"pvn_a.b"}');
  });

  it('moves the clock as it moved, unless a request does', () => {
    const at = (time: string, url = 'http://127.0.0.1:1/'): Exchange => {
      return { request: { method: 'GET', url, headers: {} }, at: `2026-01-01T${time}.000Z` };
    };
    const transcript = [at('00:00:00'), at('00:00:00'), at('01:01:00')];
    const { head, body } = partsOf(curlScript(transcript));
    const moved = '# protocol time goes on by 1 h 1 min, to 2026-01-01T01:01:00.000Z';
    expect(body.split('\n').map((line) => line.slice(0, 4))).toEqual(['send', 'send', 'adva', 'send', '']);
    expect(body).toContain(`advance 3660000  ${moved}\n`);
    expect(head).toContain(': "${CONTROL_TOKEN:?');
    expect(head).toContain(': "${CONTROL_URL:?');
    expect(curlScript(transcript, new Map(), { controlUrl: 'http://127.0.0.1:3' })).toContain(
      `: "\${CONTROL_URL:=http://127.0.0.1:3}"`,
    );
    const called = curlScript([...transcript, at('01:01:00', 'http://127.0.0.1:2/control/v1/ledger/wallets')]);
    expect(called).toContain(`: "\${CONTROL_URL:=http://127.0.0.1:2}"`);
    const itself = curlScript([...transcript, at('01:01:00', 'http://127.0.0.1:2/control/v1/clock/advance')]);
    expect(itself).toContain(`\n${moved}\n`);
    expect(itself).not.toContain('advance 3660000');
  });

  it('reads from replies what later requests send, and nothing else', () => {
    const hash = `0x${'1a'.repeat(32)}`;
    const script = curlScript([
      replied(
        { given: 'metadata1' },
        { agents: [{ hash }], key: '[ISSUED_KEY_1]', echo: 'metadata1', unused: 'unused-1' },
      ),
      replied({ hash, mode: 'autonomous' }, { hash, mode: 'autonomous' }),
      replied({ text: `of ${hash}`, key: '[ISSUED_KEY_1]', echo: 'metadata1', mode: 'autonomous' }, {}),
    ]);
    const read = script.split('\n').filter((line) => /=\$\(value /.test(line));
    expect(read).toEqual(['HASH_1=$(value agents.0.hash)', 'ISSUED_KEY_1=$(value key)']);
    expect(script).toContain(`--data-raw '{"hash":"'"$HASH_1"'","mode":"autonomous"}'`);
    expect(script).toContain(
      `'{"text":"of '"$HASH_1"'","key":"'"$ISSUED_KEY_1"'","echo":"metadata1","mode":"autonomous"}'`,
    );
  });

  it('makes names, addresses, wallets and signatures', () => {
    const signed = {
      signature: 'ab'.repeat(64),
      text: 'service-register:nonce-12345:cd:check-0123456789ab',
      wallet: { chain: 'solana', address: 'So1anaAddress1', public_key_hex: 'ef'.repeat(32) },
    } as const;
    const body = { name: 'check-0123456789ab', wallet_public_key: signed.wallet.public_key_hex };
    const script = curlScript([
      replied({ name: body.name }, { nonce: 'nonce-12345' }),
      replied({ ...body, wallet_signature: signed.signature }, {}, { signed: [signed] }),
      replied({ address: signed.wallet.address, wallet_signature: signed.signature }, {}, { signed: [signed] }),
    ]);
    expect(script).toMatch(/^# Made again: .* As recorded: all else\.\n/);
    expect(script).toContain(
      '\nSIGNED_1=$(aips tools wallet sign "$dir/WALLET_1" service-register:"$NONCE_1":cd:"$NAME_1")\nsend',
    );
    expect(script.match(/wallet sign/g)).toHaveLength(1);
    expect(script).toContain(`'{"address":"'"$WALLET_1"'","wallet_signature":"'"$SIGNED_1"'"}'`);
    for (const value of [signed.signature, 'nonce-12345', body.name, body.wallet_public_key, signed.wallet.address])
      expect(script).not.toContain(value);
  });

  it('asks the server for what the run asked it for, and says before a request what failed in it', () => {
    const asked = [{ value: 'PayHere1', url: 'http://127.0.0.1:1/api/v1/fees/summary', path: 'payment_address' }];
    const transfers = [1, 2].map((lamports) => replied({ to: 'PayHere1', lamports }, {}, { asked }));
    const script = curlScript(transfers, new Map([[1, ['failed: status: expected 429, got 200']]]));
    expect(script).toContain(
      '\nPAYMENT_ADDRESS_1=$(ask http://127.0.0.1:1/api/v1/fees/summary payment_address)\nsend -X',
    );
    expect(script).toContain(`--data-raw '{"to":"'"$PAYMENT_ADDRESS_1"'","lamports":1}'`);
    expect(script).toContain('# 200\n# failed: status: expected 429, got 200\nsend -X');
    expect(script).not.toContain('PayHere1');
  });

  it('says what is as recorded', () => {
    const script = curlScript([
      replied({ work_proof: { spot_checks: [] } }, {}),
      replied({ wallet_signature: '00' }, {}),
      bare('[SHARED_API_KEY]'),
    ]);
    const kept = [
      'all else',
      'proofs of beats',
      'signatures that are not as the suite made them',
      'agents of other checks',
    ];
    expect(script.split('\n')[0]).toContain(` As recorded: ${kept.join(', also ')}.`);
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
