/** Plays scripts of `results/pairs.ts` on a service, and judges the reply to their last step. The players of `examples/vectors/` do the same. */

import { at, parse } from '../../model/reading/values.js';
import type { Expected, FieldTest, Pair, PairStep } from '../../results/pairs.js';
import { CONTROL_PATH } from '../../spec/endpoint.js';
import { requestOf } from '../moves/move.js';
import type { Target } from '../target/target.js';
import type { Transport } from '../wire/transport.js';
import { REPLY_BYTES_MAX } from '../wire/wire.js';
import { NoValue, Values } from './values.js';

/** A script as it is played. */
export type Script = Pick<Pair, 'steps' | 'chains'>;

export interface PlayedReply {
  readonly status: number;
  readonly json: unknown;
}

/** A script that came to its last step, or why it did not. */
export type Played = { readonly reply: PlayedReply; readonly values: Values } | { readonly unplayed: string };

/** Where scripts are played. */
export interface PairService {
  readonly target: Target;
  readonly send: Transport;
}

const TIMEOUT_MS = 60_000;

/** Plays a script. `salt`: what it makes (names, wallets, addresses) follows from it. */
export async function playScript(
  { target, send }: PairService,
  { steps, chains }: Script,
  salt: string,
): Promise<Played> {
  const values = new Values(salt, chains, target.protocol.beat.difficulty);
  try {
    for (const [nth, step] of steps.entries()) {
      const reply = await sent(target, send, step, nth, values);
      if (nth === steps.length - 1) return { reply, values };
      if (!hasStatus(reply.status, step.status ?? '2xx'))
        return { unplayed: `step ${nth} (${step.method} ${step.path}) is answered with ${reply.status}` };
      values.replies.push(reply.json);
    }
    return { unplayed: 'the script has no steps' };
  } catch (error) {
    if (!(error instanceof NoValue)) throw error;
    return { unplayed: error.message };
  }
}

async function sent(
  target: Target,
  send: Transport,
  step: PairStep,
  nth: number,
  values: Values,
): Promise<PlayedReply> {
  const base = { registry: target.baseUrl, beats: target.beatsUrl, control: target.control?.url }[
    step.to ?? 'registry'
  ];
  if (base == null) throw new NoValue(`the target has no ${step.to} service`);
  const call = {
    method: step.method,
    path: (step.to === 'control' ? CONTROL_PATH : '') + values.text(step.path),
    key: step.to === 'control' ? target.control?.token : step.key === undefined ? undefined : values.text(step.key),
    address: step.to === 'control' ? undefined : values.address(step.from ?? `step ${nth}`),
    body: values.filled(step.body),
    headers: values.filled(step.headers ?? {}) as Record<string, string>,
    ...(step.raw === undefined ? {} : { rawBody: values.text(step.raw) }),
  };
  let reply: PlayedReply | undefined;
  for (let times = 0; times < (step.repeat ?? 1); times += 1) {
    const { status, body } = await send({
      ...requestOf(base, call),
      timeoutMs: TIMEOUT_MS,
      replyBytesMax: REPLY_BYTES_MAX,
    });
    reply = { status, json: parse(body) };
  }
  return reply as PlayedReply;
}

function hasStatus(status: number, expected: Expected['status']): boolean {
  return expected === '2xx'
    ? status >= 200 && status < 300
    : expected === '4xx'
      ? status >= 400 && status < 500
      : status === expected;
}

/** How a reply differs from what is expected, one sentence a place; empty if it does not. Throws `NoValue`. */
export function differences({ status, fields }: Expected, reply: PlayedReply, values: Values): readonly string[] {
  return [
    ...(hasStatus(reply.status, status) ? [] : [`the status is ${reply.status}, not ${status}`]),
    ...fields.flatMap((test) => {
      const said = differs(test, reply.json, values);
      return said === undefined ? [] : [`${test.path} ${said}`];
    }),
  ];
}

function differs(test: FieldTest, json: unknown, values: Values): string | undefined {
  const actual = at(json, test.path);
  const shown = actual === undefined ? 'is missing' : `is ${JSON.stringify(actual)}`;
  if ('absent' in test) return actual === undefined ? undefined : `${shown}, and should be missing`;
  if ('type' in test)
    return test.type.includes(typeOf(actual) as never) ? undefined : `${shown}, not ${test.type.join(' or ')}`;
  if ('matches' in test)
    return typeof actual === 'string' && new RegExp(test.matches).test(actual)
      ? undefined
      : `${shown}, not as ${test.matches}`;
  if ('minus' in test) {
    const less = numberOf(actual) - numberOf(at(json, test.minus));
    return less === test.is ? undefined : `${shown}, not ${test.is} more than ${test.minus}`;
  }
  const expected = values.filled(test.is);
  return isSame(actual, expected) ? undefined : `${shown}, not ${JSON.stringify(expected)}`;
}

/** The type of a JSON value, by the names of the format. */
export const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const TIME = /^\d{4}-\d{2}-\d{2}T/;

/** A number, or the ms of a time; NaN for any other value. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && TIME.test(value) ? Date.parse(value) : Number.NaN;
}

const HASH = /^0x[0-9a-f]+$/i;

/** Compares two JSON values. The order of keys and the case of hashes do not matter. */
export function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string' && HASH.test(one))
    return one.toLowerCase() === other.toLowerCase();
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const keys = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => key in other && isSame((one as never)[key], (other as never)[key]))
  );
}
