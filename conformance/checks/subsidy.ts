/** Checks of granting, listing and ending subsidies. Their effect on fees is in subsidy-fees.ts. */

import { HOUR_MS } from '../../spec/time.js';
import { feeTypes } from '../../spec/vocabulary.js';
import { discounts, endSubsidy, grant, terms } from '../moves/subsidy.js';
import { adminKey, freshAdminKey } from '../steps/keys.js';
import { judgeLimit } from '../steps/limit.js';
import { turningPoints, windowOf } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';

const base = { needs: ['admin'] } as const;

const granted: WrittenCheck = {
  ...base,
  id: 'subsidy/granted',
  title: 'A granted subsidy has the terms of its request, with a default floor of 5,000 lamports',
  async run(t) {
    const [agent, key] = [await t.root(), await adminKey(t)];
    t.shows('key.admin', 'subsidy.auth').that('the admin key', key.startsWith('pva_'), 'pva_…', `${key.slice(0, 4)}…`);
    for (const fee_type of feeTypes)
      await t.send(grant(key, terms(agent, { fee_type, reason: `Für <R&D>: "half" of ${fee_type}, it's 50 % 𝒏` })));
    // In whole seconds: the specification does not say whether a server keeps fractions.
    const untilMs = Math.ceil((t.nowMs() + HOUR_MS) / 1_000) * 1_000;
    // ISO 8601 also writes a time with an offset: a server that accepts it must read the same moment.
    const offset = `${new Date(untilMs + 2 * HOUR_MS).toISOString().slice(0, -1)}+02:00`;
    for (const valid_until of [new Date(untilMs).toISOString(), offset, ...turningPoints(t.nowMs())])
      await t.send(grant(key, terms(agent, { floor_lamports: 60_000, valid_until })));
    // A field that a body leaves out gets its default, not its earlier value.
    for (const more of [{ floor_lamports: 0 }, { floor_lamports: 60_000 }, {}])
      await t.send(grant(key, terms(agent, more)));
  },
};

const deleted: WrittenCheck = {
  ...base,
  id: 'subsidy/deleted',
  title: 'A subsidy can be deleted once, and the others stay',
  async run(t) {
    const [agent, key] = [await t.root(), await adminKey(t)];
    for (const fee_type of ['heartbeat', 'sigil']) await t.send(grant(key, terms(agent, { fee_type })));
    for (const fee_type of ['heartbeat', 'heartbeat', 'reissuance', 'sigil'])
      await t.send(endSubsidy(key, agent, fee_type), { mayMiss: true });
  },
};

const refused: WrittenCheck = {
  ...base,
  id: 'subsidy/refused',
  title: 'A subsidy with invalid terms is refused, and so is a call without an admin key',
  async run(t) {
    const [agent, key] = [await t.root(), await adminKey(t)];
    const faults = [
      { fee_type: 'registration' },
      { fee_type: 'Heartbeat' },
      { fee_type: undefined },
      { reason: undefined },
      { floor_lamports: '6000' },
      { valid_until: new Date(t.nowMs() - HOUR_MS).toISOString() },
      { agent_hash: `0x${t.hex(t.protocol.agent.hashBytes)}` },
      { agent_hash: undefined },
    ];
    const bad = [undefined, `pva_${t.hex(32)}`, agent.key];
    // A refused call does not change the existing subsidy.
    for (let n = 0; n < 2; n += 1) {
      for (const more of faults) await t.send(grant(key, terms(agent, more)), { mayMiss: true });
      for (const wrong of bad) await t.send(grant(wrong, terms(agent)));
      if (n === 0) await t.send(grant(key, terms(agent)));
    }
    for (const wrong of [...bad, key]) await t.send(endSubsidy(wrong, agent));
  },
};

const bounds: WrittenCheck = {
  ...base,
  id: 'subsidy/discount-bounds',
  title: 'A discount_bps outside 1 to 10000 is refused',
  async run(t) {
    const [agent, key] = [await t.root(), await adminKey(t)];
    const { least, most, ...faults } = discounts(t.protocol);
    const { 'just-too-low': _, 'just-too-high': __, ...bad } = faults;
    // A replacement of a subsidy has the same bounds.
    for (const discount_bps of [...Object.values(faults), least, most, ...Object.values(bad)])
      await t.send(grant(key, terms(agent, { discount_bps })));
  },
};

const expired: WrittenCheck = {
  ...base,
  id: 'subsidy/key-expired',
  title: 'An admin key that has expired is refused',
  needs: ['control'],
  controls: ['admin-keys', 'admin-keys/expire'],
  async run(t) {
    const agent = await t.root();
    const [key, other] = [await freshAdminKey(t), await freshAdminKey(t)];
    await t.send(grant(key, terms(agent)));
    await t.control('POST admin-keys/expire', { key });
    for (const by of [key, other]) {
      await t.send(grant(by, terms(agent)));
      await t.send(endSubsidy(by, agent));
    }
  },
};

const limit: WrittenCheck = {
  ...base,
  id: 'subsidy/limit',
  title: 'The 31st grant or deletion of a subsidy from an address in a minute is refused',
  needs: ['admin', 'clock', 'client-ip'],
  runsAlone: true,
  waits: windowOf('subsidy'),
  async run(t) {
    const [key, elsewhere] = [await adminKey(t), t.newAddress()];
    // These requests are refused, since the agent does not exist, but still count. Both methods of the path share a bucket.
    const body = terms({ hash: `0x${t.hex(t.protocol.agent.hashBytes)}` });
    const send = (n: number, address?: string) =>
      t.call(n % 2 === 0 ? 'subsidy.delete' : 'subsidy.post', { key, body, mayLimit: true, mayMiss: true, address });
    await judgeLimit(t, {
      limit: 'subsidy',
      clause: 'limit.subsidy',
      send: (n) => send(n),
      other: elsewhere === undefined ? undefined : () => send(1, elsewhere),
    });
  },
};

export const subsidyChecks: readonly WrittenCheck[] = [granted, deleted, refused, bounds, expired, limit];
