/**
 * Looks payments up on another ledger by JSON-RPC, getTransaction (D-27). It reads what a transaction paid; the rules
 * decide whether that is enough.
 */

import { z } from 'zod';
import { BASE58 } from '../../../spec/formats.js';
import { SYSTEM_PROGRAM } from '../../ledger/programs.js';
import type { LookupResult, ObservedPayment, PaymentLookup } from './payment.js';
import { post } from './post.js';

/** Another ledger, and the address on it to which fees are paid. */
export interface RemoteLedger {
  /** May contain a user and password; they are sent as HTTP Basic credentials. */
  readonly rpcUrl: string;
  readonly paymentAddress: string;
  /** How long the ledger may take to answer; 5 s by default. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
/** A transaction has at most 1,232 bytes, and its meta describes at most some dozen accounts and its logs. */
const REPLY_BYTES_MAX = 1_048_576;
/** The length of 64 bytes in base58. */
const SIGNATURE_CHARS = { min: 64, max: 88 } as const;

/** On a real chain an account can hold more than a safe integer. */
const lamports = z.number().min(0);
const pubkey = z.union([z.string(), z.looseObject({ pubkey: z.string() }).transform((key) => key.pubkey)]);
/** Instructions are unknown: a node shows those of programs that it cannot parse in another form. */
const innerList = z.looseObject({ instructions: z.array(z.unknown()) }).catch({ instructions: [] });

/** Only the fields that show payer and amount; the rest may be absent, null or of any form. */
const found = z.looseObject({
  meta: z.looseObject({
    err: z.unknown().optional(),
    preBalances: z.array(lamports),
    postBalances: z.array(lamports),
    innerInstructions: z.array(innerList).nullish().catch(null),
    loadedAddresses: z
      .looseObject({ writable: z.array(z.string()), readonly: z.array(z.string()) })
      .nullish()
      .catch(null),
  }),
  transaction: z.looseObject({
    message: z.looseObject({ accountKeys: z.array(pubkey), instructions: z.array(z.unknown()) }),
  }),
});

/** Some servers send the member that does not apply as null. */
const reply = z.union([
  z
    .looseObject({ jsonrpc: z.literal('2.0'), id: z.literal(1), error: z.looseObject({ code: z.int() }) })
    .transform(({ error }) => ({ code: error.code })),
  z
    .looseObject({ jsonrpc: z.literal('2.0'), id: z.literal(1), result: found.nullable() })
    .transform(({ result }) => ({ result })),
]);

type TransactionReply = z.output<typeof found>;

/**
 * Makes a look-up that asks for confirmed transactions (D-27). A late or unreadable answer is `unavailable`: it says
 * nothing about the payment. Clients see the reason, so reasons are fixed texts and numbers: they quote neither the
 * operator's URL, which may contain keys, nor the ledger. Throws a URIError if the URL's user or password is not
 * percent-encoded UTF-8.
 */
export function paymentLookup(ledger: RemoteLedger): PaymentLookup {
  const rpcServer = rpcServerOf(ledger);
  return async (signature) => {
    // No transaction has a signature of this form, so the ledger is not asked.
    const { min, max } = SIGNATURE_CHARS;
    if (signature.length < min || signature.length > max || !BASE58.test(signature)) return 'unknown';
    const options = { commitment: 'confirmed', encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 };
    const request = { jsonrpc: '2.0', id: 1, method: 'getTransaction', params: [signature, options] };
    const answered = await postTo(rpcServer, JSON.stringify(request));
    if ('unavailable' in answered) return answered;
    const parsed = reply.safeParse(answered.value);
    if (!parsed.success) return { unavailable: 'the ledger answered with something else than a transaction' };
    if ('code' in parsed.data) return resultOfError(parsed.data.code);
    const { result } = parsed.data;
    return result === null ? 'unknown' : observe(result, ledger.paymentAddress);
  };
}

/** The result for a JSON-RPC error. */
function resultOfError(code: number): LookupResult {
  // For the ledger the text is not a signature, so there is no such transaction.
  if (code === -32602) return 'unknown';
  // The transaction has an unsupported version, so what it pays cannot be read.
  if (code === -32015) return { sender: null, lamports: 0, counts: false };
  return { unavailable: `the ledger refused the question with JSON-RPC error code ${code}` };
}

/**
 * Reads what a transaction paid: its transfers to the address must add up to what the address gained, and have one source.
 * Whatever else is in the transaction, or happened to the address, then shows in the sum.
 */
function observe({ meta, transaction }: TransactionReply, paymentAddress: string): ObservedPayment {
  const { accountKeys, instructions } = transaction.message;
  const { writable, readonly } = meta.loadedAddresses ?? { writable: [], readonly: [] };
  const missing = meta.postBalances.length - accountKeys.length;
  // Keys from address tables are in the list already if the node parsed the message, and follow it otherwise.
  const keys = missing > 0 ? [...accountKeys, ...writable, ...readonly] : accountKeys;
  const place = keys.indexOf(paymentAddress);
  const gained = (meta.postBalances[place] ?? 0) - (meta.preBalances[place] ?? 0);
  const inner = (meta.innerInstructions ?? []).flatMap((each) => each.instructions);
  const paid = [...instructions, ...inner].flatMap((each) => transferTo(each, paymentAddress));
  const named = paid.reduce((sum, each) => sum + each.lamports, 0);
  const [sender, ...others] = new Set(paid.map(({ source }) => source));
  const clear = sender !== undefined && others.length === 0 && named === gained;
  return {
    sender: clear ? sender : null,
    lamports: Math.max(0, gained),
    counts: clear && (meta.err ?? null) === null,
  };
}

/**
 * An instruction that pays. Creating an account or withdrawing from one also moves lamports, but needs the signature of the account itself or names
 * no payer's wallet, so these are not payments.
 */
const transferShape = z.looseObject({
  programId: z.literal(SYSTEM_PROGRAM).optional(),
  parsed: z.looseObject({
    type: z.enum(['transfer', 'transferWithSeed']),
    info: z.looseObject({ source: z.string(), destination: z.string(), lamports }),
  }),
});

function transferTo(instruction: unknown, address: string): { readonly source: string; readonly lamports: number }[] {
  const read = transferShape.safeParse(instruction);
  const info = read.data?.parsed.info;
  return info?.destination === address ? [info] : [];
}

type PostResult = { readonly value: unknown } | { readonly unavailable: string };

/** The URL without credentials, and the headers that carry them. */
interface RpcServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Credentials are sent in a header, so that no message quotes them. */
export function rpcServerOf({ rpcUrl, timeoutMs = TIMEOUT_MS }: RemoteLedger): RpcServer {
  const url = new URL(rpcUrl);
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  [url.username, url.password] = ['', ''];
  const headers = { 'content-type': 'application/json' };
  if (user === '' && password === '') return { url: url.href, headers, timeoutMs };
  const authorization = `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
  return { url: url.href, headers: { ...headers, authorization }, timeoutMs };
}

/** Posts a JSON-RPC request. Never rejects: a ledger that cannot be reached is `unavailable`. */
export async function postTo({ url, headers, timeoutMs }: RpcServer, body: string): Promise<PostResult> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { status, text } = await post({ url, headers, body, signal, replyBytesMax: REPLY_BYTES_MAX });
    if (status < 200 || status > 299) return { unavailable: `the ledger answered with HTTP status ${status}` };
    return text === undefined
      ? { unavailable: 'the ledger answered with too long a reply' }
      : { value: JSON.parse(text) };
  } catch (error) {
    return { unavailable: unavailableReason(error, timeoutMs) };
  }
}

function unavailableReason(error: unknown, timeoutMs: number): string {
  if (error instanceof SyntaxError) return 'the ledger answered with what is no JSON';
  if (error instanceof Error && error.name === 'TimeoutError')
    return `the ledger did not answer within ${timeoutMs} ms`;
  // Node's message may quote the URL.
  return 'the ledger cannot be reached';
}
