// Writes the HAR file of one agent that sends heartbeats a second apart, all of them accepted at tier 1: node heartbeats-har.mjs 20000 > heartbeats.har
// Every reply is as its schema demands. The specification allows one heartbeat in ten beats, 1,000 in an epoch, and 100 at tier 1.
import { createHash } from 'node:crypto';
import { once } from 'node:events';

const count = Number(process.argv[2] ?? 20_000);
const START_MS = Date.parse('2026-01-01T00:00:00Z');
const DAY_MS = 86_400_000;
const URL = 'https://registry.example/api/v1/agent/heartbeat';
const KEY = `pvn_eyJoIjoiMHhhIn0.${'a'.repeat(64)}`;

const hex = (text, bytes) =>
  createHash('sha512')
    .update(text)
    .digest('hex')
    .slice(0, 2 * bytes);
const base58 = (text) => {
  let number = BigInt(`0x${hex(text, 64)}`);
  let digits = '';
  for (; number > 0n; number /= 58n)
    digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'[number % 58n] + digits;
  return digits;
};
const agent = `0x${hex('agent', 32)}`;
const headers = (fields) => Object.entries(fields).map(([name, value]) => ({ name, value }));

function entry(nth) {
  const ms = START_MS + nth * 1_000;
  const beat = Math.floor(nth / 60);
  const payment = base58(`payment ${nth}`);
  const passport = {
    format_version: 1,
    agent_hash: agent,
    agent_public_key: 'FUrZScQtBtnAHp2ZbNugZZbjVo87UzXRRd35CWKmz7LY',
    authority_key_id: 'pvn-ed25519-7f91f0c01ec40a1b',
    identity_class: 'narrow_task',
    registered_at_beat: 0,
    sigil_issued_at_beat: 0,
    last_heartbeat_beat: beat,
    lineage_chain_hash: `0x${hex(`lineage ${nth}`, 32)}`,
    issued_at: ms,
    valid_until: ms + DAY_MS,
    service_signature: hex(`signature ${nth}`, 64),
  };
  const reply = {
    ok: true,
    agent_hash: agent,
    passport,
    lineage_proof: passport,
    total_heartbeats: nth,
    heartbeat_count_epoch: nth,
    billing_epoch: 0,
    current_beat: beat,
    fee: { amount_sol: 0.0005, amount_lamports: 500_000, payment_tx: payment, tier: 1 },
  };
  const text = JSON.stringify(reply);
  const sent = JSON.stringify({ payment_tx: payment });
  return {
    startedDateTime: new Date(ms).toISOString(),
    time: 12,
    request: {
      method: 'POST',
      url: URL,
      httpVersion: 'HTTP/1.1',
      headers: headers({ authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }),
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: sent.length,
      postData: { mimeType: 'application/json', text: sent },
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      headers: headers({ 'content-type': 'application/json; charset=utf-8', date: new Date(ms).toUTCString() }),
      cookies: [],
      content: { size: text.length, mimeType: 'application/json', text },
      redirectURL: '',
      headersSize: -1,
      bodySize: text.length,
    },
    cache: {},
    timings: { send: 0, wait: 12, receive: 0 },
  };
}

process.stdout.write('{"log":{"version":"1.2","creator":{"name":"heartbeats-har","version":"1"},"entries":[\n');
for (let nth = 1; nth <= count; nth += 1) {
  const isTaken = process.stdout.write(`${nth === 1 ? '' : ',\n'}${JSON.stringify(entry(nth))}`);
  if (!isTaken) await once(process.stdout, 'drain');
}
process.stdout.write('\n]}}\n');
