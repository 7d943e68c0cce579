// The model by the reference: it has evidence of each refusal, and evidence against the reply of a wrong server.
import { expect, it } from 'vitest';
import { allChecks } from '../conformance/checks/index.js';
import { cheap, loadReference, startInProcess } from '../conformance/in-process/reference.js';
import { runSuite } from '../conformance/run/runner.js';
import { settingsOf } from '../conformance/target/modelled.js';
import type { Check } from '../conformance/trial/check.js';
import type { Transport, WireReply } from '../conformance/wire/transport.js';
import type { Judgement } from '../model/evidence.js';
import { judge, noteEnd, noteRequest } from '../model/exchange.js';
import { emptyState, fork, type State } from '../model/facts/state.js';
import { type Call, requestOf } from '../model/reading/call.js';
import { parse } from '../model/reading/values.js';
import { clauseById } from '../spec/clauses/index.js';
import { isObject, type JsonObject, jsonOf } from '../spec/formats.js';
import { pinOf } from '../spec/numbers.js';
import { protocol, protocolNumbers } from '../spec/protocol.js';

/** A check of few requests; of the others only some that are about refusals are played. */
const FEW = 17;

/** The check of each number, and of each folder the cheapest for each clause of the text: most rows, and both sides of most bounds. */
function chosen(): readonly Check[] {
  const byCost = allChecks.filter(({ requests }) => requests <= 60).toSorted((a, b) => a.requests - b.requests);
  const ofNumbers = new Set(protocolNumbers(protocol).map(({ path }) => pinOf(path).check));
  const met = new Set<string>();
  return byCost.filter((check) => {
    const inFolder = (clause: string): string => `${check.id.split('/')[0]} ${clause}`;
    const isRefusal = (clause: string): boolean => clause.includes('.error.');
    const isNew = (clause: string): boolean =>
      (isRefusal(clause) || clauseById(clause).level === 'must') && !met.has(inFolder(clause));
    const isDue =
      check.requests <= FEW
        ? check.clauses.some(isNew) || ofNumbers.has(check.id)
        : check.clauses.some((clause) => isRefusal(clause) && !met.has(clause));
    if (isDue) for (const clause of check.clauses) met.add(clause).add(inFolder(clause));
    return isDue;
  });
}

/** For how many reasons at most the text, or what the model does not know, leaves open what a reply has to be. */
const OPEN = `
  beat-key refused: 1, beat-timestamp VALIDATION: 1, beat-timestamp accepted for VALIDATION: 1, beat-timestamp RATE_LIMITED: 1,
  beat-timestamp accepted for RATE_LIMITED: 1,
  beat-status AGENT_NOT_FOUND: 1, beat-status INVALID_HASH: 1, beat-status refused: 1, beat-verify VALIDATION: 1,
  beat-verify accepted for RATE_LIMITED: 1, beat-verify accepted for VALIDATION: 1, beat-verify refused: 2,
  beats-submit PROOF_INVALID: 1, beats-submit refused: 3, heartbeat PAYMENT_SENDER_MISMATCH: 1, heartbeat refused: 1, metadata VALIDATION: 1,
  metadata refused: 1, partner-webhook.get refused: 1, partner-webhook.put AUTH_FORBIDDEN: 1,
  partner-webhook.get AUTH_FORBIDDEN: 1, partner-webhook.get accepted for AUTH_FORBIDDEN: 1, partner-webhook.delete refused: 1,
  partner-webhook.delete AUTH_FORBIDDEN: 1, partner-webhook.delete accepted for AUTH_FORBIDDEN: 1,
  partner-webhook.delete accepted for RATE_LIMITED: 1, partner-webhook.put WEBHOOK_INVALID: 1, partner-webhook.put accepted for AUTH_FORBIDDEN: 1, register VALIDATION: 1,
  register refused: 8, register-token CONTENT_TYPE_REQUIRED: 1, resync refused: 2, sigil refused: 1, spawn SPAWN_CONFLICT: 1,
  spawn RECEIPT_REQUIRED: 1, spawn accepted for RECEIPT_REQUIRED: 1,
  spawn VALIDATION: 2, spawn accepted for VALIDATION: 1, spawn refused: 2, sponsor.get refused: 1,
  sponsor.post SPONSOR_NOT_ANCESTOR: 1, subsidy.post SUBSIDY_INVALID: 1, verify INVALID_HASH: 1,
  work-proof.post VALIDATION: 1, work-proof.post refused: 1
`;

/**
 * How many different things at least are said against spoilt replies: a clause, what it is about, and how the reply was spoilt. Other checks
 * may change these numbers; a change of the model alone lowers none.
 */
const SAID = `
  authority-key: 6, beat-anchor: 9, beat-status: 56, beat-verify: 5, beats-submit: 70, checkin: 11, fees-summary: 64, flag: 73,
  heartbeat: 214, init: 146, metadata: 66, partner-webhook.delete: 6, partner-webhook.get: 41, partner-webhook.put: 44,
  passport: 72, register-token: 46, register: 195, reissue-proof: 146, resync: 163, sigil: 202, spawn: 94, sponsor.delete: 18,
  sponsor.get: 52, sponsor.post: 91, status: 57, subsidy.delete: 42, subsidy.post: 90, verify-batch: 167, verify: 116,
  wallet: 48, work-proof.post: 19
`;

/** A field of an endpoint is spoilt until the model has noticed it twice, and not much oftener. */
const NOTICED_MAX = 2;
const SPOILT_MAX = 4;
/** A number is spoilt by one, and by more than any tolerance of instants. */
const FAR = 100_000;

type Path = readonly (string | number)[];

/** The places of the values in a reply: of lists the first two items. */
function placesIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [path];
  const inner = Array.isArray(value) ? value.slice(0, 2).map((item, at) => [at, item] as const) : Object.entries(value);
  return inner.flatMap(([name, item]) => placesIn(item, [...path, name]));
}

/** A value with that at a place changed; `undefined` takes it away. */
function changed(value: unknown, [name, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item, at) => (at === name ? changed(item, rest, change) : item));
  return isObject(value) ? { ...value, [name]: changed(value[name], rest, change) } : value;
}

const CHANGES: Readonly<Record<string, (value: unknown) => unknown>> = {
  gone: () => undefined,
  near: (value) => {
    if (typeof value === 'number') return value + 1;
    if (typeof value === 'boolean') return !value;
    return typeof value === 'string' ? `${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}` : 'x';
  },
  far: (value) => (typeof value === 'number' ? value + FAR : null),
  none: (value) => (typeof value === 'number' ? 0 : []),
};

/** How many of the texts begin alike, up to a colon. */
function sizesOf(texts: ReadonlySet<string>): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const [key = ''] of [...texts].map((text) => text.split(': '))) sizes.set(key, (sizes.get(key) ?? 0) + 1);
  return sizes;
}

const tableOf = (text: string): ReadonlyMap<string, number> =>
  new Map(text.split(',').map((row) => [row.split(':')[0]?.trim() ?? '', Number(row.split(':')[1])]));

/** The entries of a table that are larger than in another one. */
const larger = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): readonly string[] =>
  [...one].flatMap(([key, size]) => (size > (other.get(key) ?? 0) ? `${key}: ${size}, ${other.get(key) ?? 0}` : []));

/** Hears the exchanges of a run, one after the other. */
class Hearing {
  readonly against: unknown[] = [];
  /** The replies that the model leaves open, with its reasons: refusals, those in place of an acceptance, and the opposite. */
  readonly open = new Set<string>();
  /** All different things that the model says against spoilt replies, by endpoint. */
  readonly said = new Set<string>();
  readonly #accepted = new Map<string, JsonObject>();
  readonly #spoilt = new Map<string, { times: number; noticed: number }>();

  constructor(readonly state: State) {}

  hear(call: Call, reply: WireReply): void {
    noteRequest(this.state, call);
    const json = jsonOf(reply.body);
    if (isObject(json)) this.#spoil(call, reply.status, json);
    const judgement = judge(this.state, call, { status: reply.status, json: parse(reply.body) });
    noteEnd(this.state, call);
    this.against.push(...judgement.evidence.filter(({ ok }) => !ok));
    const isJudged = judgement.evidence.some(({ about }) => about !== 'error');
    if (reply.status >= 400 && isObject(json) && !isJudged)
      this.#leave(`${call.endpoint.id} ${json['code']}`, judgement);
  }

  #spoil(call: Call, status: number, json: JsonObject): void {
    const { id } = call.endpoint;
    if (status >= 400) {
      const taken = this.#try(call, 'accepted', 200, this.#accepted.get(id) ?? { ok: true });
      if (taken.evidence.every(({ ok }) => ok)) this.#leave(`${id} accepted for ${json['code']}`, taken);
      this.#try(call, 'code', status, { ...json, code: 'OTHER' });
      this.#try(call, 'status', 418, json);
    } else {
      // An earlier reply to the same agent, or about it, which may have been right then.
      const same = `${id} ${call.hash ?? call.bearer}`;
      this.#try(call, 'before', status, this.#accepted.get(same) ?? json);
      this.#accepted.set(id, json).set(same, json);
      const refused = this.#try(call, 'refused', 400, { error: 'no', code: 'NO' });
      if (refused.evidence.every(({ ok }) => ok)) this.#leave(`${id} refused`, refused);
      this.#try(call, 'failed', 500, { error: 'no', code: 'NO' });
    }
    for (const path of placesIn(json)) {
      const place = `${id} ${status < 400} ${path.filter((name) => typeof name === 'string').join('.')}`;
      const tried = this.#spoilt.get(place) ?? { times: 0, noticed: 0 };
      this.#spoilt.set(place, tried);
      if (path.length === 0 || tried.noticed >= NOTICED_MAX || tried.times >= SPOILT_MAX) continue;
      const said = Object.entries(CHANGES).map(([kind, change]) =>
        this.#try(call, kind, status, changed(json, path, change)),
      );
      tried.times += 1;
      if (said.every(({ evidence }) => evidence.some(({ ok }) => !ok))) tried.noticed += 1;
    }
  }

  #leave(what: string, { withheld }: Judgement): void {
    this.open.add(`${what}: ${withheld[0]?.reason ?? 'nothing is said'}`);
  }

  #try(call: Call, kind: string, status: number, json: unknown): Judgement {
    const judgement = judge(fork(this.state), call, { status, json });
    for (const { ok, about, clauses } of judgement.evidence)
      if (!ok) for (const clause of clauses) this.said.add(`${call.endpoint.id}: ${kind} ${about} ${clause}`);
    return judgement;
  }
}

it('judges what the reference refuses, and speaks against each spoilt reply', async () => {
  const modules = await loadReference();
  const { target, send, close } = startInProcess(modules, { seed: 11, numbers: cheap });
  const hearing = new Hearing(emptyState(settingsOf(target)));
  let last: Promise<unknown> = Promise.resolve();
  const transport: Transport = (request) => {
    const reply = last.then(async () => {
      const reply = await send(request);
      const call = requestOf(hearing.state.settings, request);
      if (call === undefined) return reply;
      if ('control' in call) judge(hearing.state, call, { status: reply.status, json: parse(reply.body) });
      else hearing.hear(call, reply);
      return reply;
    });
    last = reply.catch((error: unknown) => hearing.against.push(error));
    return reply;
  };
  const checks = chosen();
  const options = { seed: 11, toolVersion: 'test', nowWallMs: Date.now, unprobed: true, model: false, concurrency: 1 };
  await runSuite(target, { ...options, transport, checks });
  await close();
  expect(hearing.against).toEqual([]);
  expect(larger(sizesOf(hearing.open), tableOf(OPEN)), [...hearing.open].join('\n')).toEqual([]);
  expect(larger(tableOf(SAID), sizesOf(hearing.said))).toEqual([]);
});
