/** Parses and validates the target file: the settings of the server under test. Commands read it from disk. */
import { z } from 'zod';
import { type Dialect, dialectSchema, dialects, protocolOf } from '../../spec/dialect.js';
import { type Parsed, type Problem, parseYaml, problemWords } from '../../spec/document.js';
import { endpointIds } from '../../spec/endpoint-ids.js';
import { withoutTrailing } from '../../spec/formats.js';
import { changeSchema, type Overlay, parseOverlay } from '../../spec/overlay.js';
import { type Protocol, protocol } from '../../spec/protocol.js';
import type { Wallet } from '../protocol/wallet.js';
import { type Access, certificateFault, headersSchema, isHeaderValue, ONE_LINE, proxyUrlOf } from './access.js';
import { readKeyFile } from './key-file.js';

/** The limits of a run: requests, time and money. */
export interface Budget {
  readonly requests?: number | undefined;
  readonly lamports?: number | undefined;
  readonly minutes?: number | undefined;
}

/** The way to pay fees. */
export type Payments =
  | { readonly kind: 'none' }
  /** The control API funds wallets and transfers lamports on the target's mock ledger. */
  | { readonly kind: 'control' }
  /** Transactions go to a ledger by Solana JSON-RPC; a wallet of the user pays. */
  | { readonly kind: 'solana-rpc'; readonly rpcUrl: string; readonly wallet: Wallet }
  /** A program of the user pays. */
  | {
      readonly kind: 'command';
      readonly command: readonly string[];
      /** The parts of the command from the environment. */
      readonly secrets?: readonly string[];
    };

/** The server under test, and its offers to the suite. */
export interface Target extends Access {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly beatsUrl: string | null;
  readonly network: 'devnet' | 'mainnet';
  readonly dialect: Dialect;
  /** The numbers by which the target is judged: those of the specification, with replacements from the file. */
  readonly protocol: Protocol;
  readonly registrationSecret?: string | undefined;
  readonly adminKey?: string | undefined;
  readonly partnerKey?: string | undefined;
  readonly control?: { readonly url: string; readonly token: string } | undefined;
  readonly payments: Payments;
  readonly clientIp: 'x-forwarded-for' | 'none';
  readonly webhooks?: { readonly listen: string; readonly publicUrl?: string | undefined } | undefined;
  /** BEATS_REQUIRED: a resync needs a receipt (4.10). */
  readonly beatsRequired: boolean;
  /** Paid routes need a linked wallet (5, rule 2). */
  readonly byoWallet: boolean;
  /** The policies that the target file states, and that the suite judges for this reason. */
  readonly statedPolicies?: readonly ('beats_required' | 'byo_wallet')[];
  /** Stems of endpoints, or globs over check ids, that the target file declares as missing. */
  readonly unsupported: readonly string[];
  readonly budget: Budget;
  /** The time-out of a request in seconds; by default a minute, or less before the first reply. */
  readonly timeoutSec?: number | undefined;
  /** The largest number of requests a second; undefined for no limit. */
  readonly pacePerSec?: number | undefined;
  /** The target's names of fields that the specification does not name: by endpoint, our name → the target's. */
  readonly shapes: Shapes;
}

/** By endpoint id: our path of a field → the target's path. */
type Shapes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The sources that a target file may refer to: environment, files and overlay. */
export interface TargetSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads a file by its path in the target file; undefined if it cannot be read. */
  readonly readText: (path: string) => string | undefined;
  /** The target's own numbers from another place than its file; then the file must have none. */
  readonly overlay?: Overlay;
}

/** Makes a target from a URL, without other offers. Throws `TypeError` if it is not an http(s) URL. */
export function bareTarget(url: string): Target {
  return {
    baseUrl: baseUrlOf(url),
    beatsUrl: null,
    network: 'devnet',
    dialect: dialects.service,
    protocol,
    payments: { kind: 'none' },
    clientIp: 'none',
    beatsRequired: true,
    byoWallet: true,
    unsupported: [],
    budget: {},
    shapes: {},
  };
}

/** The base URL of a service, without a slash at its end. Throws `TypeError` if it is not an http(s) URL. */
export function baseUrlOf(url: string): string {
  const result = baseUrl.safeParse(url);
  if (!result.success) throw new TypeError(`${url} ${result.error.issues[0]?.message ?? 'is not a URL'}`);
  return result.data;
}

/** Whether the host of a URL is this machine, where writes need no permission. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Reads a target file (YAML or JSON). Reports every problem with file, line and key. */
export function parseTarget(text: string, file: string, sources: TargetSources): Parsed<Target> {
  const parsed = parseYaml(withPlainReferences(text), file, targetSchema(sources));
  if (!parsed.ok) return parsed;
  const { protocol: numbers, ...written } = parsed.value;
  const overlay = overlayFrom(numbers ?? sources.overlay, file, sources);
  if (!overlay.ok) return overlay;
  const payments = paymentsFrom(written.payments, file, sources);
  if (!payments.ok) return payments;
  const ca = authorityFrom(written.ca, file, sources);
  if (!ca.ok) return ca;
  return {
    ok: true,
    value: {
      baseUrl: written.base_url,
      beatsUrl: written.beats_url ?? null,
      network: written.network ?? 'devnet',
      dialect: written.dialect ?? dialects.service,
      protocol: protocolOf(written.dialect ?? dialects.service, overlay.value),
      registrationSecret: written.registration_secret,
      adminKey: written.admin_key,
      partnerKey: written.partner_key,
      control: written.control,
      payments: payments.value,
      clientIp: written.client_ip ?? 'none',
      webhooks: written.webhooks && { listen: written.webhooks.listen, publicUrl: written.webhooks.public_url },
      beatsRequired: written.beats_required ?? true,
      byoWallet: written.byo_wallet ?? true,
      statedPolicies: (['beats_required', 'byo_wallet'] as const).filter((name) => written[name] !== undefined),
      unsupported: written.unsupported ?? [],
      budget: written.budget ?? {},
      timeoutSec: written.timeout_s,
      pacePerSec: written.pace_per_s,
      shapes: written.shapes ?? {},
      headers: written.headers,
      proxy: written.proxy,
      ca: ca.value,
    },
  };
}

/** Replaces `${NAME}` by `$<env NAME>`, since YAML forbids braces in a plain word inside `{ … }`. */
function withPlainReferences(text: string): string {
  return text.replaceAll(/\$\{([^{}\n]*)\}/g, '$$<env $1>');
}

function overlayFrom(numbers: string | Overlay | undefined, file: string, sources: TargetSources): Parsed<Overlay> {
  if (typeof numbers !== 'string') return { ok: true, value: numbers ?? {} };
  const text = sources.readText(numbers);
  if (text !== undefined) return parseOverlay(text, numbers);
  const problem: Problem = { file, line: 1, key: 'protocol', message: `cannot read the overlay file ${numbers}` };
  return { ok: false, problems: [problem] };
}

function paymentsFrom(written: WrittenPayments | undefined, file: string, sources: TargetSources): Parsed<Payments> {
  if (written === undefined) return { ok: true, value: { kind: 'none' } };
  if (written.kind === 'command') {
    const [command, secrets] = [written.command.map(({ text }) => text), written.command.flatMap(({ drawn }) => drawn)];
    return { ok: true, value: { kind: 'command', command, ...(secrets.length === 0 ? {} : { secrets }) } };
  }
  if (written.kind !== 'solana-rpc') return { ok: true, value: written };
  const { key_file: keyFile, rpc_url: rpcUrl } = written;
  const text = sources.readText(keyFile);
  const wallet = text === undefined ? 'cannot be read' : readKeyFile(text);
  if (typeof wallet !== 'string') return { ok: true, value: { kind: 'solana-rpc', rpcUrl, wallet } };
  const problem: Problem = { file, line: 1, key: 'payments.key_file', message: `${keyFile} ${wallet}` };
  return { ok: false, problems: [problem] };
}

function authorityFrom(path: string | undefined, file: string, sources: TargetSources): Parsed<string | undefined> {
  if (path === undefined) return { ok: true, value: undefined };
  const pem = sources.readText(path);
  const fault = pem === undefined ? 'cannot be read' : certificateFault(pem);
  if (fault === undefined) return { ok: true, value: pem };
  return { ok: false, problems: [{ file, line: 1, key: 'ca', message: `${path} ${fault}` }] };
}

const httpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: 'must be an http or https URL',
    abort: true,
  })
  .refine(
    (text) => new URL(text).username === '' && new URL(text).password === '',
    'must not hold a user or a password: for Basic authentication give headers: { authorization: … }',
  )
  .refine((text) => !/[?#]/.test(text), 'must not have a query or a fragment')
  .transform((text) => withoutTrailing(text, '/'));

/** The base URL of a service; the suite adds paths. */
const baseUrl = httpUrl.superRefine((text, context) => {
  const [path] = /\/(api|control)\/v1(?=\/|$)/.exec(text) ?? [];
  if (path !== undefined)
    context.addIssue({ code: 'custom', message: `must end before ${path}: the suite adds the paths itself` });
});

type Context = z.RefinementCtx;

/** Validates with another schema, and passes on its problems with their lines. */
function nested<T>(schema: z.ZodType<T>, value: unknown, context: Context): T {
  const result = schema.safeParse(value, { error: problemWords });
  if (result.success) return result.data;
  for (const issue of result.error.issues) context.issues.push({ ...issue, input: value } as never);
  return z.NEVER;
}

/** A text in which `${NAME}` is replaced by a variable of the environment; an unknown variable is a problem. */
function textFrom(env: TargetSources['env']) {
  return wordFrom(env).transform(({ text }) => text);
}

/** The same as `textFrom`, with the values of the variables. */
function wordFrom(env: TargetSources['env']) {
  return z
    .string()
    .min(1, 'must not be empty')
    .transform((written, context) => {
      const drawn: string[] = [];
      const text = written.replaceAll(/\$<env ([^>]*)>/g, (_, name: string) => {
        // A pasted secret, or one from a file, often ends in a line break, which a shell drops, too.
        const value = env[name]?.replace(/[\r\n]+$/, '');
        if (value === undefined || value === '') {
          context.addIssue({ code: 'custom', message: `needs the environment variable ${name}, which is not set` });
          return '';
        }
        drawn.push(value);
        return value;
      });
      return { text, drawn };
    });
}

/** A secret to send in a header. Line breaks at its end, as in a YAML block, are dropped. */
function secretFrom(env: TargetSources['env']) {
  return textFrom(env)
    .transform((text) => text.replace(/[\r\n]+$/, ''))
    .refine(isHeaderValue, ONE_LINE);
}

const dialect = z.unknown().transform((value, context): Dialect => {
  if (typeof value !== 'string') return nested(dialectSchema, value, context);
  const known = Object.hasOwn(dialects, value) ? dialects[value as keyof typeof dialects] : undefined;
  if (known !== undefined) return known;
  context.addIssue({
    code: 'custom',
    message: `must be one of ${Object.keys(dialects).join(', ')}, or a dialect in place`,
  });
  return z.NEVER;
});

const numbersSource = z
  .unknown()
  .transform((value, context): string | Overlay =>
    typeof value === 'string' ? value : nested(changeSchema, value, context),
  );

const givenTwice = z.never('is given here and in --protocol: give the numbers in one place');

/** The URL of a ledger. It may have a key in its path or query. */
const ledgerUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http or https URL');

/** The payments of a target file, before the key file is read. */
function paymentsSchema(env: TargetSources['env']) {
  const text = textFrom(env);
  const rpc = z.strictObject({ kind: z.literal('solana-rpc'), rpc_url: text.pipe(ledgerUrl), key_file: text });
  const command = z.array(wordFrom(env)).min(1, 'must be a program, with arguments if it needs any');
  return z.discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('none') }),
      z.strictObject({ kind: z.literal('control') }),
      rpc,
      z.strictObject({ kind: z.literal('command'), command }),
    ],
    'must be control, solana-rpc, command or none',
  );
}

type WrittenPayments = z.output<ReturnType<typeof paymentsSchema>>;

const listenAddress = z
  .string()
  .regex(/^(\[[0-9a-f:]+\]|[\w.-]+):\d{1,5}$/i, 'must be host:port, such as 127.0.0.1:0 (0: any free port)')
  .refine((text) => Number(text.slice(text.lastIndexOf(':') + 1)) <= 65_535, 'must have a port up to 65535');

const limit = z.number().positive('must be more than 0').optional();

const proxy = z.string().superRefine((written, context) => {
  const url = proxyUrlOf(written);
  if (typeof url === 'string') context.addIssue({ code: 'custom', message: url });
});

const fieldPath = z.string().regex(/^[\w-]+(\.[\w-]+)*$/, 'must be the path of a field, such as anchor.beat_index');

const shapes = z.record(z.string(), z.record(fieldPath, fieldPath)).superRefine((value, context) => {
  for (const id of Object.keys(value)) {
    if ((endpointIds as readonly string[]).includes(id)) continue;
    context.addIssue({ code: 'custom', path: [id], message: `must be an endpoint, one of ${endpointIds.join(', ')}` });
  }
});

/** The schema of a target file. */
function targetSchema({ env, overlay }: TargetSources) {
  const text = textFrom(env);
  const secret = secretFrom(env);
  const url = text.pipe(baseUrl);
  return z.strictObject({
    base_url: url,
    beats_url: url.optional(),
    network: z.enum(['devnet', 'mainnet'], 'must be devnet or mainnet').optional(),
    dialect: dialect.optional(),
    registration_secret: secret.optional(),
    admin_key: secret.optional(),
    partner_key: secret.optional(),
    control: z.strictObject({ url, token: secret }).optional(),
    payments: paymentsSchema(env).optional(),
    client_ip: z.enum(['x-forwarded-for', 'none'], 'must be x-forwarded-for or none').optional(),
    webhooks: z
      .strictObject({ listen: text.pipe(listenAddress), public_url: text.pipe(httpUrl).optional() })
      .optional(),
    beats_required: z.boolean('must be true or false').optional(),
    byo_wallet: z.boolean('must be true or false').optional(),
    unsupported: z.array(z.string().min(1)).optional(),
    budget: z.strictObject({ requests: limit, lamports: limit, minutes: limit }).optional(),
    timeout_s: z.number().positive('must be more than 0').max(600, 'must be at most 600 seconds').optional(),
    pace_per_s: limit,
    shapes: shapes.optional(),
    headers: headersSchema(text).optional(),
    proxy: text.pipe(proxy).optional(),
    ca: text.optional(),
    protocol: (overlay === undefined ? numbersSource : givenTwice).optional(),
  });
}
