/** Makes a recording of a run. Its form and its reader are in read-recording.ts; replay.ts replays it. */

import { createHmac } from 'node:crypto';
import type { ChainTerms } from '../../model/reading/chain.js';
import { jsonOf } from '../../spec/formats.js';
import { fileOfOverlay } from '../../spec/overlay.js';
import type { ChainMemory } from '../protocol/chain-pool.js';
import type { ConformOptions } from '../run/runner.js';
import { accessSecrets } from '../target/access.js';
import type { Target } from '../target/target.js';
import { secretsOf } from '../trial/session.js';
import { secretsIn } from '../wire/redact.js';
import { type Transport, TransportFailure, type WireReply, type WireRequest } from '../wire/transport.js';
import { type Delivered, WebhookReceiver } from '../wire/webhook-receiver.js';
import { Pseudonyms } from './pseudonyms.js';
import {
  RECORDING_SCHEMA,
  type RecordedDelivery,
  type RecordedEntry,
  type Recording,
  sealed,
} from './read-recording.js';

/** Facts about the run in a recording. */
interface RecordedRun {
  readonly startedMs: number;
  /** The ids of the checks that were chosen. */
  readonly checks: readonly string[];
  /** Of a quick run: the ids of the checks that it spared. */
  readonly spared?: readonly string[] | undefined;
  readonly command: string;
  /** The digests of suite and text, and what the run found. */
  readonly digests: Recording['manifest']['digests'];
  readonly result: Recording['manifest']['result'];
}

/**
 * Records all requests and replies of a run, for `Replay`. Secrets stay in memory; the recording contains pseudonyms. Only a target that is paid by its
 * control API can be recorded, since other payments would have to be made again.
 */
export class Recorder {
  readonly #entries: RecordedEntry[] = [];
  readonly #chains: { readonly terms: ChainTerms; readonly hashes: readonly string[] }[] = [];
  readonly #pseudonyms = new Pseudonyms();
  readonly #webhookSecrets = new Set<string>();
  #sent = 0;
  #publicUrl: string | undefined;

  constructor(
    readonly target: Target,
    readonly inner: Transport,
  ) {
    for (const secret of Object.values({ ...secretsOf(target), ...accessSecrets(target) }))
      this.#pseudonyms.add(secret, { given: true });
  }

  /** The transport of a recorded run. */
  readonly send: Transport = async (request) => {
    const sent = this.#sent;
    this.#sent += 1;
    const { method, url, headers, body } = request;
    const after = this.#entries.length;
    const given = body === undefined ? {} : { body };
    const said = { sent, owner: ownerOf(request), after, method, url, headers: { ...headers }, ...given };
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

  /** The receiver of a recorded run. */
  readonly receive: typeof WebhookReceiver.start = async (listen, publicUrl) => {
    const receiver = await WebhookReceiver.start(listen, publicUrl);
    this.#publicUrl = receiver.publicUrl;
    receiver.onDelivery = (path, { method, headers, text }) => {
      this.#entries.push({ path, method, headers: present(headers), text });
    };
    return receiver;
  };

  /** Learns of the chains of beats of a recorded run. */
  readonly chains: ChainMemory = { learn: (terms, hashes) => this.#chains.push({ terms, hashes }) };

  /** The recording as text, which ends with its digest. */
  written(options: ConformOptions, { startedMs, checks, spared, command, digests, result }: RecordedRun): string {
    const { seed, toolVersion, concurrency = 16, allowWrites = false, profile, only = [] } = options;
    const manifest: Recording['manifest'] = {
      schema: RECORDING_SCHEMA,
      tool_version: toolVersion,
      digests,
      command: this.#pseudonyms.in(command),
      started_ms: startedMs,
      seed,
      concurrency,
      allow_writes: allowWrites,
      profile: profile?.name ?? 'full',
      ...(only.length === 0 ? {} : { only: only.map((pattern) => this.#pseudonyms.in(pattern)) }),
      checks: [...checks],
      ...(spared === undefined ? {} : { spared: [...spared] }),
      result,
      target: this.#targetFile() as Recording['manifest']['target'],
    };
    const entries = this.#entries.map((entry) => this.#disguised(entry));
    const lines = [manifest, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('');
    return sealed(lines + this.#chainsIn(lines));
  }

  /** The chains, with the hashes that exchanges or other chains show: a request with another hash has no reply in the recording. */
  #chainsIn(lines: string): string {
    const shown = new Set([...(lines.match(/[0-9a-f]{64}/g) ?? []), ...this.#chains.map(({ terms }) => terms.from)]);
    const written = this.#chains.map(({ terms: { from, beats, fromIndex, anchorHash, difficulty }, hashes }) => ({
      chain: { from, beats, fromIndex, anchorHash, difficulty },
      hashes: Object.fromEntries([...hashes.entries()].filter(([, hash]) => shown.has(hash))),
    }));
    return written.map((chain) => `${JSON.stringify(chain)}\n`).join('');
  }

  #learn({ body }: WireReply): void {
    for (const { field, value } of secretsIn(jsonOf(body))) {
      this.#pseudonyms.add(value);
      if (field === 'webhook_secret') this.#webhookSecrets.add(value);
    }
  }

  #disguised(entry: RecordedEntry): RecordedEntry {
    const names = this.#pseudonyms;
    const within = (headers: Readonly<Record<string, string>>, disguise: (value: string) => string) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, disguise(value)]));
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
      headers: within(entry.headers, (value) => names.inHeader(value)),
      ...(body === undefined ? {} : { body: names.in(body) }),
      ...(reply === undefined
        ? {}
        : {
            reply: { ...reply, headers: within(reply.headers, (value) => names.in(value)), body: names.in(reply.body) },
          }),
      ...(failure === undefined ? {} : { failure: { ...failure, message: names.in(failure.message) } }),
    };
  }

  /** A valid signature of a delivery is made again with the secret's pseudonym; any other value stays as received (section 6). */
  #signedAnew(value: string, text: string, disguised: string): string {
    for (const secret of this.#webhookSecrets) {
      const mac = hmac(secret, text);
      if (value.includes(mac)) return value.replace(mac, hmac(this.#pseudonyms.of(secret), disguised));
    }
    return this.#pseudonyms.in(value);
  }

  /** The settings of the target in the form of a target file, with pseudonyms. */
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
      shapes: Object.keys(target.shapes).length === 0 ? undefined : target.shapes,
      protocol: fileOfOverlay(target.protocol),
    };
    return JSON.parse(JSON.stringify(written)) as Record<string, unknown>;
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

/** The origin of a request: a check, or the run. */
export function ownerOf({ owner = 'suite' }: Pick<WireRequest, 'owner'>): string {
  return owner;
}
