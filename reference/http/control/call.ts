/**
 * The declaration of a control call: path, body, reply and refusals as data, from which routes and OpenAPI are derived.
 * The calls themselves are in the other files of the folder.
 */

import { z } from 'zod';
import type { Host } from '../request/host.js';

/** The reply of a control call: a status and a body. */
export interface ControlReply {
  readonly status: number;
  readonly body: object;
}

/** The reply of an accepted call. */
export const accepted = (body: object): ControlReply => ({ status: 200, body });
/** The reply of a refused call, which has changed nothing. */
export const refused = (status: number, code: string, error: string): ControlReply => ({
  status,
  body: { error, code },
});

/** The time of a control call, and its path parameters. */
export interface CallContext {
  readonly nowMs: number;
  readonly params: Readonly<Record<string, string>>;
}

/** A call of the control API. A body that does not match its schema is refused with 400 VALIDATION. */
export interface ControlCall<S extends z.ZodType = z.ZodType> {
  readonly method: 'get' | 'post' | 'put';
  /** Relative to /control/v1/. */
  readonly path: string;
  readonly purpose: string;
  readonly body: S | null;
  readonly reply: z.ZodType;
  /** Refusals in addition to 400 and 401: status and code. */
  readonly refusals: readonly (readonly [status: number, code: string])[];
  /** A `command` changes the state and is journaled. */
  readonly kind: 'command' | 'query';
  readonly run: (host: Host, body: z.output<S>, moment: CallContext) => ControlReply | Promise<ControlReply>;
}

type Given<S extends z.ZodType> = Omit<ControlCall<S>, 'method' | 'path' | 'refusals' | 'kind'> &
  Partial<Pick<ControlCall<S>, 'refusals' | 'kind'>>;

/**
 * Declares a call, for example `POST anchors/stall`. A GET is a query and anything else a command, unless stated
 * otherwise.
 */
export function controlCall<S extends z.ZodType>(
  name: `${'GET' | 'POST' | 'PUT'} ${string}`,
  given: Given<S>,
): ControlCall {
  const [verb = '', path = ''] = name.split(' ');
  const method = verb.toLowerCase() as ControlCall['method'];
  const kind = verb === 'GET' ? 'query' : 'command';
  return { kind, refusals: [], ...given, method, path } as unknown as ControlCall;
}

/** An amount of money, in lamports. */
export const lamports = z.int().min(0);
/** A ledger address. */
export const walletAddress = z
  .string()
  .min(32)
  .max(44)
  .regex(/^[1-9A-HJ-NP-Za-km-z]+$/, 'must be base58');
/** `{}`: the body of a call without parameters. */
export const emptyBody = z.strictObject({});
