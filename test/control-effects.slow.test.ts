// Every call of the control API, without effect, with one that is late by a time or by a request, and with another one: nothing of that
// is blamed on the server, but in the cells that no client can tell from a fault of the server. Calls that fail are in
// control-faults.test.ts.
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { allChecks } from '../conformance/checks/index.js';
import { cheap, loadReference, startInProcess } from '../conformance/in-process/reference.js';
import { conclude } from '../conformance/judge/conclude.js';
import { runSuite } from '../conformance/run/runner.js';
import type { Transport, WireReply, WireRequest } from '../conformance/wire/transport.js';

const LATE_MS = 700;
type Body = Record<string, unknown>;
type How = 'none' | 'late' | 'next' | 'other';
const HOWS: readonly How[] = ['none', 'late', 'next', 'other'];

const reply = (body: object): WireReply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** A transport in which one call of the control API does not do what it says. */
class Broken {
  /** How far a clock that lies is ahead of the real one. */
  #aheadMs = 0;
  /** Names that are unknown to the server for a while. */
  readonly #unknown = new Set<string>();
  #earlier = '';
  /** Effects that come when the next request has been answered. */
  readonly #pending: (() => Promise<unknown>)[] = [];

  constructor(
    readonly call: string,
    readonly how: How,
    readonly next: Transport,
  ) {}

  readonly send: Transport = async (request) => {
    const path = /\/control\/v1\/(.*)$/.exec(request.url)?.[1];
    if (path === undefined) {
      const due = this.#pending.splice(0);
      const answer = await this.next(this.#hidden(request));
      for (const each of due) await each();
      return answer;
    }
    const body = JSON.parse(request.body ?? '{}') as Body;
    if (new RegExp(`^${this.call.replaceAll(/:\w+/g, '([^/]+)')}$`).test(path)) {
      if (this.call === 'clock/advance') return this.#clock(request, body);
      if (this.how === 'none') return this.#answer(body);
      return this.how === 'other' ? this.#other(request, body, path) : this.#late(request, body);
    }
    return this.next(request);
  };

  /** Does something later: after a time, or after the next request. */
  #later(steps: () => Promise<unknown>): void {
    if (this.how === 'next') this.#pending.push(steps);
    else void wait(LATE_MS).then(steps);
  }

  #hidden(request: WireRequest): WireRequest {
    const swapped = (text: string): string =>
      [...this.#unknown].reduce((now, name) => now.replaceAll(name, name.split('').reverse().join('')), text);
    const { authorization } = request.headers;
    return {
      ...request,
      ...(request.body === undefined ? {} : { body: swapped(request.body) }),
      headers: {
        ...request.headers,
        ...(authorization === undefined || this.#unknown.size === 0
          ? {}
          : {
              authorization: this.#unknown.has(authorization.slice(7)) ? `Bearer pva_${'0'.repeat(64)}` : authorization,
            }),
      },
    };
  }

  async #clock(request: WireRequest, body: Body): Promise<WireReply> {
    const ms = Number(body['ms'] ?? 0);
    const move = (by: number) => this.next({ ...request, body: JSON.stringify({ ms: by }) });
    const lies = (real: WireReply): WireReply => {
      const shown = JSON.parse(real.body) as { now_ms: number };
      return { ...real, body: JSON.stringify({ ...shown, now_ms: shown.now_ms + this.#aheadMs }) };
    };
    if (ms === 0) return lies(await move(0));
    if (this.how === 'other') {
      this.#aheadMs -= ms;
      return lies(await move(2 * ms));
    }
    this.#aheadMs += ms;
    if (this.how !== 'none') {
      this.#later(async () => {
        await move(ms);
        this.#aheadMs -= ms;
      });
    }
    return lies(await move(0));
  }

  /** A reply as the call gives it. */
  #answer(body: Body): WireReply {
    if (this.call === 'ledger/transfers') return reply({ signature: hex(40).replaceAll('0', 'z') });
    if (this.call === 'admin-keys') return reply({ key: `pva_${hex(32)}` });
    if (this.call === 'partners') return reply({ key: `pvt_${hex(32)}`, ref: '77' });
    return reply({ ok: true, ...body });
  }

  async #late(request: WireRequest, body: Body): Promise<WireReply> {
    if (['ledger/transfers', 'admin-keys', 'partners'].includes(this.call)) {
      const made = await this.next(request);
      const { signature, key } = JSON.parse(made.body) as { signature?: string; key?: string };
      const name = signature ?? key ?? '';
      this.#unknown.add(name);
      this.#later(async () => this.#unknown.delete(name));
      return made;
    }
    this.#later(() => this.next(request));
    return this.#answer(body);
  }

  async #other(request: WireRequest, body: Body, path: string): Promise<WireReply> {
    const send = (changed: Body, to = path) =>
      this.next({ ...request, url: request.url.replace(path, to), body: JSON.stringify(changed) });
    switch (this.call) {
      case 'anchors/stall':
        return send({ on: body['on'] !== true });
      case 'ledger/wallets':
      case 'ledger/transfers':
        return send({ ...body, lamports: Math.floor(Number(body['lamports']) / 2) });
      case 'admin-keys': {
        const made = await this.next(request);
        await send({ key: (JSON.parse(made.body) as Body)['key'] }, 'admin-keys/expire');
        return made;
      }
      case 'partners': {
        const made = await this.next(request);
        await send({}, `partners/${String((JSON.parse(made.body) as Body)['ref'])}/suspend`);
        return made;
      }
      case 'flags/:id/review':
        return send({ outcome: body['outcome'] === 'sustain' ? 'dismiss' : 'sustain' });
      case 'fees':
        return send(Object.fromEntries(Object.entries(body).map(([name, fee]) => [name, 2 * Number(fee)])));
      default: {
        // It does to the one before what it is to do to this one.
        const subject = String(body['key'] ?? path.split('/')[1]);
        const earlier = this.#earlier;
        this.#earlier = subject;
        if (earlier === '') return this.#answer(body);
        return body['key'] === undefined ? send(body, path.replace(subject, earlier)) : send({ key: earlier });
      }
    }
  }
}

/** The checks by which a call is tried. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  'clock/advance': ['dms/*', 'heartbeat/too-soon', 'init/*', 'verify/*'],
  'anchors/stall': ['dms/stalled', 'versioning/lineage-proof', 'dialect/health-status'],
  'ledger/wallets': ['sigil/flow', 'heartbeat/too-soon'],
  'ledger/transfers': ['sigil/flow', 'heartbeat/too-soon', 'payment/*'],
  'admin-keys': ['subsidy/*'],
  partners: ['partner-webhook/*'],
  'flags/:id/review': ['flag/filed', 'flag/dismissed', 'flag/sustained'],
  'agents/:hash/revoke-key': ['auth/revoked', 'auth/wallet-revoked', 'sponsor/key-revoked'],
};
const checksOf = (call: string): readonly string[] =>
  CHECKS[call] ?? allChecks.filter(({ controls = [] }) => controls.includes(call)).map(({ id }) => id);

const cells = (how: How, ...calls: readonly string[]): readonly string[] => calls.map((call) => `${call} ${how}`);
const KEYS = [
  'agents/:hash/revoke-key',
  'admin-keys',
  'admin-keys/expire',
  'partners',
  'partner-keys/expire',
  'partners/:ref/suspend',
];
const LATE = ['clock/advance', 'ledger/wallets', 'ledger/transfers', ...KEYS, 'flags/:id/review', 'fees'];

/** The cells in which the suite sees that the call did not do what it says. In the others what waits for it could not be set up. */
const BLAMED = new Set([
  ...cells('none', 'clock/advance', 'anchors/stall', 'ledger/wallets', 'admin-keys', 'partners'),
  ...cells('late', ...LATE, 'anchors/stall'),
  ...cells('next', ...LATE),
  ...cells('other', 'clock/advance', 'anchors/stall', 'ledger/wallets', 'admin-keys', 'partners', 'flags/:id/review'),
]);

/** The cells that no client can tell from a server that breaks the text. */
const UNTOLD = new Set([
  // No fee finds the transfer, or it is of another amount.
  ...cells('none', 'ledger/transfers'),
  ...cells('other', 'ledger/transfers'),
  // A key is taken that was to be refused.
  ...cells('none', 'agents/:hash/revoke-key', 'admin-keys/expire', 'partners/:ref/suspend'),
  // No reply shows a review or a fee before what depends on it.
  ...cells('none', 'flags/:id/review', 'fees'),
  ...cells('other', 'fees'),
  // A delivery that is due may come by itself, or not.
  ...cells('none', 'webhooks/flush'),
  ...cells('late', 'webhooks/flush'),
  ...cells('next', 'webhooks/flush'),
]);

/** The cell in which the revocation meets the agent of the look soon after, or does not. */
const EITHER = new Set(cells('other', 'agents/:hash/revoke-key'));

const CALLS = [
  ...['clock/advance', 'anchors/stall', 'ledger/wallets', 'ledger/transfers', 'agents/:hash/revoke-key'],
  ...['admin-keys', 'admin-keys/expire', 'partners', 'partner-keys/expire', 'partners/:ref/suspend'],
  ...['flags/:id/review', 'fees', 'webhooks/flush'],
];

it.concurrent.each(CALLS.flatMap((call) => HOWS.map((how) => [call, how] as const)))(
  '%s with %s effect',
  async (call, how) => {
    const deployment = call === 'webhooks/flush' ? 'webhooks' : 'devnet';
    const { target, send, close } = startInProcess(await loadReference(), { seed: 5, numbers: cheap, deployment });
    try {
      const { send: transport } = new Broken(call, how, send);
      const only = [...checksOf(call)];
      const record = await runSuite(target, {
        seed: 5,
        transport,
        toolVersion: 'test',
        nowWallMs: Date.now,
        only,
      });
      const { checks, findings } = conclude([record], { checks: allChecks });
      const failed = findings.filter(({ level }) => level === 'must');
      const cell = `${call} ${how}`;
      if (!EITHER.has(cell)) expect(failed.length > 0).toBe(UNTOLD.has(cell));
      // Where the call is blamed, one reason names it.
      const blamed = new Set(checks.flatMap(({ why }) => (why?.kind === 'effect' ? [why.of] : [])));
      if (EITHER.has(cell)) expect(failed.length + blamed.size).toBeGreaterThan(0);
      else expect([...blamed]).toEqual(BLAMED.has(cell) ? [call] : []);
    } finally {
      await wait(how === 'late' ? LATE_MS : 0);
      await close();
    }
  },
);
