import { describe, expect, it } from 'vitest';
import { emptyState, newAgent } from '../../model/facts/state.js';
import { dialects } from '../../spec/dialect.js';
import type { EndpointId } from '../../spec/endpoint-ids.js';
import { protocol } from '../../spec/protocol.js';
import { Reply } from '../assertions/reply.js';
import type { Move } from '../moves/move.js';
import { AddressBook } from './addresses.js';
import { actionOf, Looks, SELDOM, TIME } from './looks.js';
import { Presence } from './presence.js';

const [PARENT, CHILD] = ['a', 'b'].map((digit) => `0x${digit.repeat(64)}`) as [string, string];

class Nothing extends Presence {
  override unservedBy(): string {
    return '404';
  }
}

/** The looks of a check by whose seed a parent and its child are known. */
function looksOf(seed: number, { clauses = [] as string[], presence = new Presence() } = {}): Looks {
  const settings = {
    protocol,
    dialect: dialects.service,
    baseUrl: 'http://127.0.0.1:1',
    beatsUrl: null,
    controlUrl: undefined,
    byoWallet: true,
    beatsRequired: true,
    needsSecret: false,
    mainnet: false,
    registrationSecret: undefined,
    adminKey: undefined,
    partnerKey: undefined,
    shapes: {},
  };
  const model = emptyState(settings);
  const own = { name: undefined, metadata: undefined, wallet: null };
  const parent = model.agents.set(
    PARENT,
    newAgent(model, { ...own, hash: PARENT, written: PARENT, parent: undefined }),
  );
  model.agents.set(CHILD, newAgent(model, { ...own, hash: CHILD, written: CHILD, parent }));
  model.keys.set('child key', { hash: CHILD });
  const addresses = new AddressBook(seed, '');
  return new Looks({ seed, salt: '', addresses, presence, model }, { id: 'a/check', clauses });
}

const sigil = { name: 'sigil', key: 'child key' };
const seeds = Array.from({ length: 200 }, (_, seed) => seed);
const firstOf = (options?: Parameters<typeof looksOf>[1], action = sigil): readonly Move[] =>
  seeds.flatMap((seed) => looksOf(seed, options).after(action) ?? []);

describe('a look', () => {
  it('reads the agent or its parent in every way, now and then by a hash that is not its', () => {
    const looks = firstOf();
    expect(new Set(looks.map(({ endpoint }) => endpoint)).size).toBe(6);
    const texts = looks.map(({ params, body }) => `${params?.['hash']} ${JSON.stringify(body)}`);
    for (const hash of [PARENT, CHILD, `0x${'B'.repeat(64)}`, `0x${'b'.repeat(63)}0`, `0x${'b'.repeat(63)}`])
      expect(texts.some((text) => new RegExp(`${hash}[ "]`).test(text))).toBe(true);
    expect(looks.filter(({ key }) => key !== undefined).every(({ key }) => key === 'child key')).toBe(true);
  });

  it('follows from the seed, and has an address of its own', () => {
    expect(firstOf()).toEqual(firstOf());
    const looks = looksOf(1);
    expect(looks.after(sigil)?.address).not.toBe(looks.after({ ...sigil, name: 'heartbeat' })?.address);
  });

  it('comes after the first time, and seldom later', () => {
    const looks = looksOf(2);
    const taken = Array.from({ length: SELDOM + 1 }, () => looks.after(sigil) !== undefined);
    expect(taken.flatMap((isTaken, nth) => (isTaken ? [nth] : []))).toEqual([0, SELDOM]);
  });

  it('concerns all agents of the check after time has passed, and none where a call names none', () => {
    const looks = looksOf(3);
    expect(looks.after({ name: TIME })).toBeUndefined();
    expect(looks.after({ name: 'ledger/transfers', body: { to: 'somebody' } })).toBeUndefined();
    expect(looks.after({ name: `agents/${CHILD}/revoke` })).toBeDefined();
    expect(looks.after({ name: TIME })).toBeDefined();
  });

  it('uses no key in a check of a limit, and no endpoint that is not there', () => {
    expect(firstOf({ clauses: ['limit.passport'] }).some(({ key }) => key !== undefined)).toBe(false);
    expect(firstOf({ presence: new Nothing() })).toEqual([]);
  });

  it('leaves a check four fifths of what a limit admits', () => {
    const looks = looksOf(4);
    const read = Array.from({ length: 400 }, (_, nth) => looks.after({ ...sigil, name: `call ${nth}` }));
    // 8: GET passport admits 10 in an hour.
    expect(read.filter((look) => look?.endpoint === 'passport')).toHaveLength(2);
  });

  it('follows what may have changed something, and a refusal by its code', () => {
    const reply = (endpoint: EndpointId, status: number, json: object) =>
      new Reply(endpoint, status, {}, JSON.stringify(json), endpoint, undefined, 1, json);
    expect(actionOf(reply('sigil', 200, {}), {})?.name).toBe('sigil');
    expect(actionOf(reply('sigil', 409, { code: 'SIGIL_ALREADY_EXISTS' }), {})?.name).toBe(
      'sigil 409 SIGIL_ALREADY_EXISTS',
    );
    expect(actionOf(reply('status', 200, {}), {}) ?? actionOf(reply('verify-batch', 200, {}), {})).toBeUndefined();
  });
});
