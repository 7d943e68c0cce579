import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dialects } from '../dialect.js';
import { errors } from '../errors.js';
import type { LimitName } from '../protocol.js';
import { protocol } from '../protocol.js';
import { endpoints } from './index.js';

/** 4.1, row by row, with section 5's credential. */
const summary: readonly (readonly [methods: string, path: string, auth: string, stem: string])[] = [
  ['POST', '/api/v1/register', 'registration', 'register'],
  ['POST', '/api/v1/register/token', 'none', 'register-token'],
  ['POST', '/api/v1/agent/init', 'agent', 'init'],
  ['POST', '/api/v1/agent/heartbeat', 'agent', 'heartbeat'],
  ['POST', '/api/v1/sigil', 'agent', 'sigil'],
  ['POST', '/api/v1/agent/reissue-proof', 'agent', 'reissue-proof'],
  ['POST', '/api/v1/agent/spawn', 'agent', 'spawn'],
  ['POST', '/api/v1/agent/beats/submit', 'agent', 'beats-submit'],
  ['POST', '/api/v1/agent/resync', 'agent', 'resync'],
  ['PATCH', '/api/v1/agent/metadata', 'agent', 'metadata'],
  ['POST', '/api/v1/agent/wallet', 'agent', 'wallet'],
  ['GET', '/api/v1/agent/passport', 'agent', 'passport'],
  ['POST DELETE GET', '/api/v1/agent/sponsor', 'agent', 'sponsor'],
  ['POST', '/api/v1/agent/flag', 'agent', 'flag'],
  // 4.1 writes "agent key; retired"; it answers the same without a key (D-52).
  ['POST', '/api/v1/agent/checkin', 'none', 'checkin'],
  ['POST', '/api/v1/verify/batch', 'none', 'verify-batch'],
  ['GET', '/api/v1/status/:hash', 'none', 'status'],
  ['GET', '/api/v1/verify/:hash', 'none', 'verify'],
  ['GET', '/api/v1/agent/beat-status/:hash', 'none', 'beat-status'],
  ['GET', '/api/v1/beat/anchor', 'none', 'beat-anchor'],
  ['POST', '/api/v1/beat/verify', 'none', 'beat-verify'],
  ['GET', '/api/v1/.well-known/authority-key', 'none', 'authority-key'],
  ['GET', '/api/v1/fees/summary', 'none', 'fees-summary'],
  ['POST DELETE', '/api/v1/admin/agent/subsidy', 'admin', 'subsidy'],
  ['PUT GET DELETE', '/api/v1/partner/webhook', 'partner', 'partner-webhook'],
];

/** D-08 and D-10. */
const beatsService: readonly (readonly [method: string, path: string, id: string])[] = [
  ['POST', '/api/v1/beat/work-proof', 'work-proof.post'],
  ['GET', '/api/v1/beat/work-proof', 'work-proof.get'],
  ['GET', '/api/v1/beat/key', 'beat-key'],
  ['GET', '/api/v1/beat/anchor', 'beats.beat-anchor'],
  ['POST', '/api/v1/beat/verify', 'beats.beat-verify'],
  ['POST', '/api/v1/beat/timestamp', 'beat-timestamp'],
  ['GET', '/api/health', 'health'],
];

/** Section 8, then D-08, D-10, D-12 and D-23: who draws on which limit, and whose requests share a bucket. */
const draws: readonly (readonly [limit: LimitName, by: string, ids: string])[] = [
  ['register', 'ip', 'register'],
  ['registerWalletFlow', 'ip', 'register'],
  ['registerToken', 'ip', 'register-token'],
  ['registerTokenGlobal', 'service', 'register-token'],
  ['wallet', 'ip', 'wallet'],
  ['init', 'subject', 'init'],
  ['heartbeat', 'subject', 'heartbeat'],
  ['sigil', 'subject', 'sigil'],
  ['reissueProof', 'subject', 'reissue-proof'],
  ['spawn', 'subject', 'spawn'],
  ['beatsSubmit', 'subject', 'beats-submit'],
  ['resyncChallenge', 'ip', 'resync'],
  ['resyncReceipt', 'ip', 'resync'],
  ['metadata', 'subject', 'metadata'],
  ['sponsorPost', 'agent', 'sponsor.post'],
  ['sponsorDelete', 'agent', 'sponsor.delete'],
  ['sponsorGet', 'agent', 'sponsor.get'],
  ['flag', 'ip', 'flag'],
  ['flagReporter', 'agent', 'flag'],
  ['flagTarget', 'target', 'flag'],
  ['verifyBatch', 'ip', 'verify-batch'],
  ['subsidy', 'ip', 'subsidy.post subsidy.delete'],
  ['partnerWebhook', 'partner', 'partner-webhook.put partner-webhook.get partner-webhook.delete'],
  ['passport', 'subject', 'passport'],
  ['beatVerify', 'ip', 'beat-verify beats.beat-verify'],
  ['workProof', 'ip', 'work-proof.post'],
  ['beatTimestamp', 'ip', 'beat-timestamp'],
  [
    'lookup',
    'ip',
    'status verify beat-status beat-anchor authority-key fees-summary work-proof.get beat-key beats.beat-anchor health',
  ],
];

describe('endpoints', () => {
  it.each(summary)('of 4.1: %s %s takes %s', (methods, path, auth, stem) => {
    const found = endpoints.filter((endpoint) => endpoint.service === 'registry' && endpoint.path === path);
    expect(found.map((endpoint) => endpoint.method).join(' ')).toBe(methods);
    expect(found.map((endpoint) => endpoint.auth)).toEqual(found.map(() => auth));
    const ids = found.length === 1 ? [stem] : found.map(({ method }) => `${stem}.${method.toLowerCase()}`);
    expect(found.map((endpoint) => endpoint.id)).toEqual(ids);
    expect(found.map((endpoint) => endpoint.stem)).toEqual(found.map(() => stem));
  });

  it.each(beatsService)('of the beats service: %s %s', (method, path, id) => {
    const found = endpoints.filter((endpoint) => endpoint.id === id);
    expect(found.map((endpoint) => [endpoint.service, endpoint.method, endpoint.path, endpoint.auth])).toEqual([
      ['beats', method, path, 'none'],
    ]);
  });

  it('are these alone, in the order of 4.1 and then D-08', () => {
    const rows = summary.flatMap(([methods, path]) => methods.split(' ').map((method) => `${method} ${path}`));
    const beats = beatsService.map(([method, path]) => `${method} ${path}`);
    expect(endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual([...rows, ...beats]);
  });

  it('have an id and a purpose each of their own, and a list that cannot be changed', () => {
    expect(new Set(endpoints.map(({ id }) => id)).size).toBe(endpoints.length);
    expect(new Set(endpoints.map(({ service, purpose }) => service + purpose)).size).toBe(endpoints.length);
    expect(Object.isFrozen(endpoints)).toBe(true);
  });

  it.each(draws)('draw on %s by %s: %s', (limit, by, ids) => {
    const drawing = endpoints.flatMap(({ id, buckets }) =>
      buckets.filter((bucket) => bucket.limit === limit).map((bucket) => ({ id, by: bucket.by })),
    );
    expect(drawing).toEqual(ids.split(' ').map((id) => ({ id, by })));
  });

  it('draw on every limit, and all but the retired one on some', () => {
    expect(draws.map(([limit]) => limit)).toEqual(Object.keys(protocol.limits));
    expect(endpoints.filter(({ buckets }) => buckets.length === 0).map(({ id }) => id)).toEqual(['checkin']);
  });

  it('refuse a bad body with a row of their own, of status 400', () => {
    for (const { body, invalid, stem } of endpoints) {
      if (invalid === null) continue;
      expect(body).not.toBeNull();
      expect(errors[invalid]).toMatchObject({ endpoint: stem, status: 400 });
    }
    const unrefusable = endpoints.filter(({ body, invalid }) => body !== null && invalid === null);
    expect(unrefusable.map(({ id }) => id)).toEqual(['register-token', 'init']);
  });

  it('have the stems under which errors are listed', () => {
    const stems = new Set(endpoints.map(({ stem }) => stem));
    const listed = new Set(Object.values(errors).map((row) => row.endpoint));
    expect([...listed].filter((name) => name !== 'any' && !stems.has(name))).toEqual([]);
  });

  it('can be written as JSON Schema, bodies as they are sent', () => {
    const facts = { protocol, dialect: dialects.service };
    for (const { body, replies } of endpoints) {
      if (body !== null) expect(z.toJSONSchema(body(facts), { io: 'input' })).toHaveProperty('$schema');
      for (const reply of Object.values(replies(facts))) expect(z.toJSONSchema(reply)).toHaveProperty('$schema');
    }
  });
});
