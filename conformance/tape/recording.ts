import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Parsed, Problem } from '../../spec/document.js';
import { profileNamed } from '../run/profile.js';
import type { ConformOptions } from '../run/runner.js';
import { parseTarget, type Target } from '../target/target.js';
import { secretsOf } from '../trial/session.js';
import { secretsIn } from '../wire/redact.js';
import { type Transport, TransportFailure, type WireReply, type WireRequest } from '../wire/transport.js';
import { type Delivered, WebhookReceiver } from '../wire/webhook-receiver.js';
import { Pseudonyms } from './pseudonyms.js';

/** The version of the form of a recording. */
const RECORDING_SCHEMA = 'aips-lab/recording/1';

const exchange = z.strictObject({
  /** Its place among all requests by when it was sent. */
  sent: z.int().nonnegative(),
  /** Who asked: a check, by its id, or the run itself. */
  owner: z.string(),
  method: z.string(),
  url: z.string(),
  body: z.string().exactOptional(),
  reply: z
    .strictObject({
      status: z.int(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
      cut: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  failure: z.strictObject({ kind: z.enum(['unreachable', 'hang', 'broken']), message: z.string() }).exactOptional(),
});

const delivery = z.strictObject({
  path: z.string(),
  method: z.string(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  text: z.string(),
});

export type RecordedExchange = z.output<typeof exchange>;
export type RecordedDelivery = z.output<typeof delivery>;
export type RecordedEntry = RecordedExchange | RecordedDelivery;

const manifestSchema = z.strictObject({
  schema: z.literal(RECORDING_SCHEMA, `must be ${RECORDING_SCHEMA}`),
  tool_version: z.string(),
  /** The command that judges the target itself, without what it selects. */
  command: z.string(),
  started_ms: z.int().nonnegative(),
  seed: z.int().nonnegative(),
  concurrency: z.int().positive(),
  allow_writes: z.boolean(),
  profile: z.string().refine((name) => profileNamed(name) !== undefined, 'is no profile of this version'),
  checks: z.array(z.string()),
  target: z.record(z.string(), z.unknown()),
});

/** A run as it was recorded: whom, which checks and how, and what was said, in the order in which it came back. */
export interface Recording {
  readonly manifest: z.output<typeof manifestSchema>;
  readonly target: Target;
  readonly entries: readonly RecordedEntry[];
}

/** The files of a recording, in its folder. */
export const RECORDING_FILES = { manifest: 'recording.json', entries: 'exchanges.ndjson' } as const;

/** What a recording tells of its run besides how it was made. */
export interface Recorded {
  readonly startedMs: number;
  /** The ids of the checks that were chosen. */
  readonly checks: readonly string[];
  readonly command: string;
}

/**
 * Keeps all that a run says and hears, for `Replay`. Secrets stay in memory and leave it under pseudonyms only. A target that
 * is paid elsewhere than by its control API cannot be recorded: payments would have to be made again.
 */
export class Recorder {
  readonly #entries: RecordedEntry[] = [];
  readonly #pseudonyms = new Pseudonyms();
  readonly #webhookSecrets = new Set<string>();
  #sent = 0;
  #publicUrl: string | undefined;

  constructor(
    readonly target: Target,
    readonly inner: Transport,
  ) {
    for (const secret of Object.values(secretsOf(target))) this.#pseudonyms.add(secret, true);
  }

  /** In place of the transport of a run. */
  readonly send: Transport = async (request) => {
    const sent = this.#sent;
    this.#sent += 1;
    const { method, url, body } = request;
    const said = { sent, owner: ownerOf(request), method, url, ...(body === undefined ? {} : { body }) };
    try {
      const reply = await this.inner(request);
      this.#learn(reply);
      this.#entries.push({ ...said, reply });
      return reply;
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      const { kind, message } = error;
      if (kind !== 'aborted') this.#entries.push({ ...said, failure: { kind, message } });
      throw error;
    }
  };

  /** In place of the receiver of a run. */
  readonly receive: typeof WebhookReceiver.start = async (listen, publicUrl) => {
    const receiver = await WebhookReceiver.start(listen, publicUrl);
    this.#publicUrl = receiver.publicUrl;
    receiver.onDelivery = (path, { method, headers, text }) => {
      this.#entries.push({ path, method, headers: present(headers), text });
    };
    return receiver;
  };

  /** The recording as files. */
  files(options: ConformOptions, { startedMs, checks, command }: Recorded): Readonly<Record<string, string>> {
    const manifest: Recording['manifest'] = {
      schema: RECORDING_SCHEMA,
      tool_version: options.toolVersion,
      command: this.#pseudonyms.in(command),
      started_ms: startedMs,
      seed: options.seed,
      concurrency: options.concurrency ?? 16,
      allow_writes: options.allowWrites ?? false,
      profile: options.profile?.name ?? 'full',
      checks: [...checks],
      target: this.#targetFile(),
    };
    const lines = this.#entries.map((entry) => `${JSON.stringify(this.#disguised(entry))}\n`);
    return {
      [RECORDING_FILES.manifest]: `${JSON.stringify(manifest, null, 2)}\n`,
      [RECORDING_FILES.entries]: lines.join(''),
    };
  }

  #learn({ body }: WireReply): void {
    for (const { field, value } of secretsIn(jsonOf(body))) {
      this.#pseudonyms.add(value);
      if (field === 'webhook_secret') this.#webhookSecrets.add(value);
    }
  }

  #disguised(entry: RecordedEntry): RecordedEntry {
    const names = this.#pseudonyms;
    const headersOf = (headers: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, names.in(value)]));
    if ('path' in entry) {
      const text = names.in(entry.text);
      const headers = Object.fromEntries(
        Object.entries(entry.headers).map(([name, value]) => [name, this.#signedAnew(String(value), entry.text, text)]),
      );
      return { ...entry, headers, text };
    }
    const { body, reply, failure } = entry;
    return {
      ...entry,
      url: names.in(entry.url),
      ...(body === undefined ? {} : { body: names.in(body) }),
      ...(reply === undefined
        ? {}
        : { reply: { ...reply, headers: headersOf(reply.headers), body: names.in(reply.body) } }),
      ...(failure === undefined ? {} : { failure: { ...failure, message: names.in(failure.message) } }),
    };
  }

  /** A delivery's signature, where it was right, by the secret's pseudonym; anything else as it came (section 6). */
  #signedAnew(value: string, text: string, disguised: string): string {
    for (const secret of this.#webhookSecrets) {
      const mac = hmac(secret, text);
      if (value.includes(mac)) return value.replace(mac, hmac(this.#pseudonyms.of(secret), disguised));
    }
    return this.#pseudonyms.in(value);
  }

  /** The target as its file would say it, with pseudonyms. */
  #targetFile(): Record<string, unknown> {
    const { target } = this;
    const name = (secret: string | undefined) => (secret === undefined ? undefined : this.#pseudonyms.of(secret));
    const { control, webhooks } = target;
    const publicUrl = this.#publicUrl ?? webhooks?.publicUrl;
    const written = {
      base_url: target.baseUrl,
      beats_url: target.beatsUrl ?? undefined,
      network: target.network,
      dialect: target.dialect,
      registration_secret: name(target.registrationSecret),
      admin_key: name(target.adminKey),
      partner_key: name(target.partnerKey),
      control: control && { url: control.url, token: name(control.token) },
      payments: { kind: target.payments.kind },
      client_ip: target.clientIp,
      webhooks: webhooks && { listen: webhooks.listen, public_url: publicUrl },
      beats_required: target.beatsRequired,
      byo_wallet: target.byoWallet,
      unsupported: target.unsupported,
      budget: target.budget,
      protocol: target.protocol,
    };
    return JSON.parse(JSON.stringify(written)) as Record<string, unknown>;
  }
}

/** Reads the files of a recording. `folder`: what problems are told of. */
export function parseRecording(manifestText: string, entriesText: string, folder: string): Parsed<Recording> {
  const manifestFile = `${folder}/${RECORDING_FILES.manifest}`;
  const manifest = parsed(manifestSchema, manifestText, manifestFile, 1);
  if (!manifest.ok) return manifest;
  const sources = { env: {}, readText: () => undefined };
  const target = parseTarget(JSON.stringify(manifest.value.target), manifestFile, sources);
  if (!target.ok) return target;
  const entries: RecordedEntry[] = [];
  const problems: Problem[] = [];
  for (const [index, line] of entriesText.split('\n').entries()) {
    if (line === '') continue;
    const schema = line.startsWith('{"path"') ? delivery : exchange;
    const entry = parsed<RecordedEntry>(schema, line, `${folder}/${RECORDING_FILES.entries}`, index + 1);
    if (entry.ok) entries.push(entry.value);
    else problems.push(...entry.problems);
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, value: { manifest: manifest.value, target: target.value, entries } };
}

function parsed<T>(schema: z.ZodType<T>, text: string, file: string, line: number): Parsed<T> {
  const json = jsonOf(text);
  if (json === undefined) return { ok: false, problems: [{ file, line, key: '', message: 'is not JSON' }] };
  const result = schema.safeParse(json);
  if (result.success) return { ok: true, value: result.data };
  const problems = result.error.issues.map(({ path, message }) => ({
    file,
    line,
    key: path.map(String).join('.'),
    message,
  }));
  return { ok: false, problems };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function present(headers: Delivered['headers']): RecordedDelivery['headers'] {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

/** Who asked a request: a check, or the run. */
export function ownerOf({ owner = 'suite' }: Pick<WireRequest, 'owner'>): string {
  return owner;
}
