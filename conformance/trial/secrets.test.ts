import { describe, expect, it } from 'vitest';
import { Secrets } from './secrets.js';

const key = `pvn_${'a'.repeat(20)}.${'b'.repeat(64)}`;

describe('the secrets of a run', () => {
  it('are those that were given and those that replies issued', () => {
    const secrets = new Secrets({ ADMIN_KEY: 'pva_0123456789abcdef' });
    secrets.learn({ api_key: key, webhook_secret: 'c'.repeat(64) });
    const text = JSON.stringify({ error: `unknown key ${key}`, echo: 'pva_0123456789abcdef', hook: 'c'.repeat(64) });
    expect(secrets.leakedIn(text, JSON.parse(text))).toEqual([
      { kind: 'api_key', clause: 'key.secret.kept' },
      { kind: 'admin_key', clause: 'key.secret.kept' },
      { kind: 'webhook_secret', clause: 'delivery.secret.only-put' },
    ]);
  });

  it('may stand in the reply that issues them', () => {
    const secrets = new Secrets({});
    const reply = { api_key: key };
    secrets.learn(reply);
    expect(secrets.leakedIn(JSON.stringify(reply), reply)).toEqual([]);
    expect(secrets.leakedIn(JSON.stringify({ note: key }), { note: key })).toHaveLength(1);
  });

  it('are not told from other text where they are short', () => {
    expect(new Secrets({ CONTROL_TOKEN: 'short' }).leakedIn('a short text', {})).toEqual([]);
  });
});
