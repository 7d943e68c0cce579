import { describe, expect, it } from 'vitest';
import { endpointIds, endpointOf } from '../../spec/endpoint-ids.js';
import { feeTypes } from '../../spec/vocabulary.js';
import { afterChecks } from './after.js';
import { contexts } from './cast.js';
import { events } from './events.js';
import { laterChecks } from './later.js';
import { paymentChecks } from './payments.js';
import { columns } from './probes.js';
import { kinds, ticketChecks } from './tickets.js';

/** True if an agent calls an endpoint, or is looked up by it. */
const concernsAgents = (id: (typeof endpointIds)[number]): boolean => {
  const { auth, path, service } = endpointOf(id);
  return (
    service === 'registry' &&
    (auth === 'agent' || auth === 'admin' || auth === 'registration' || path.includes(':hash'))
  );
};

describe('derived checks', () => {
  it('have a column for each endpoint that takes a key or a hash of an agent', () => {
    expect(endpointIds.filter((id) => concernsAgents(id) && columns[id] === undefined)).toEqual([]);
  });

  it('try a request with a fault for each endpoint that changes an agent', () => {
    const unfaulted = Object.entries(columns).flatMap(([id, { faults, reads }]) =>
      reads === undefined && Object.keys(faults).length === 0 ? [id] : [],
    );
    // A proof that starts elsewhere costs beats: tickets and written checks have those.
    expect(unfaulted).toEqual(['beats-submit']);
  });

  it('play each event in each of its contexts', () => {
    const pairs = Object.values(events).flatMap(({ contexts: names }) => names);
    expect(afterChecks).toHaveLength(pairs.length);
    for (const name of Object.keys(contexts)) expect(pairs).toContain(name);
  });

  it('let a day, an epoch and a year pass, and only the day beside other checks', () => {
    expect(laterChecks.map(({ id, exclusive }) => [id, exclusive])).toEqual([
      ['later/day', false],
      ['later/epoch', true],
      ['later/year', true],
    ]);
  });

  it('have a row for each ticket with a time to live, and for each fee', () => {
    expect(ticketChecks.map(({ id }) => id)).toEqual(Object.keys(kinds).map((word) => `tickets/${word}`));
    expect(Object.values(kinds).filter(({ ttlSec }) => ttlSec !== undefined)).toHaveLength(5);
    expect(paymentChecks.length).toBeGreaterThan(feeTypes.length);
  });
});
