import { z } from 'zod';
import type { Host } from '../request/host.js';

/** What a control call answers: a status and a body. */
export interface ControlReply {
  readonly status: number;
  readonly body: object;
}

/** An accepted call. */
export const accepted = (body: object): ControlReply => ({ status: 200, body });
/** A refused call: it has changed nothing. */
export const refused = (status: number, code: string, error: string): ControlReply => ({
  status,
  body: { error, code },
});

/** When a control call came, and what its path named. */
export interface CallContext {
  readonly nowMs: number;
  readonly params: Readonly<Record<string, string>>;
}

/** One call of the control API. A body that its schema refuses is 400 VALIDATION. */
export interface ControlCall<S extends z.ZodType = z.ZodType> {
  readonly method: 'get' | 'post' | 'put';
  /** Under /control/v1/. */
  readonly path: string;
  readonly purpose: string;
  readonly body: S | null;
  readonly reply: z.ZodType;
  /** Refusals besides 400 and 401: status and code. */
  readonly refusals: readonly (readonly [status: number, code: string])[];
  /** `command`: it changes the state, so the journal keeps it. */
  readonly kind: 'command' | 'query';
  readonly run: (host: Host, body: z.output<S>, moment: CallContext) => ControlReply | Promise<ControlReply>;
}

type Given<S extends z.ZodType> = Omit<ControlCall<S>, 'method' | 'path' | 'refusals' | 'kind'> &
  Partial<Pick<ControlCall<S>, 'refusals' | 'kind'>>;

/** Declares a call, say `POST anchors/stall`. A GET is a question and all else a command, unless it says otherwise. */
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
/** `{}`: a call that takes nothing. */
export const emptyBody = z.strictObject({});
