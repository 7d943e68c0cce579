/** Bodies, paths and methods of all calls (D-33, section 9), tested on a few of them. */

import { sureSpotChecks } from '../../model/facts/proof.js';
import { type EndpointId, endpointOf } from '../../spec/endpoint-ids.js';
import type { Reply } from '../assertions/reply.js';
import { lookup } from '../moves/lookup.js';
import { secretHeader } from '../moves/register.js';
import { computeChain, proofOf, type WorkProof } from '../protocol/beats.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { receiptIn } from '../steps/work.js';
import type { CallOptions } from '../trial/caller.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

/** A route that takes a body, and a way to send it a well-formed one. */
interface BodyRoute {
  readonly id: EndpointId;
  readonly needs?: WrittenCheck['needs'];
  /** Prepares an agent, and returns a function that sends a body as JSON text with the given headers. */
  readonly ready: (t: Trial) => Promise<(options: CallOptions) => Promise<Reply>>;
  /** The text of a body that the route accepts. */
  readonly text: (t: Trial) => Promise<string>;
}

const routes: readonly BodyRoute[] = [
  {
    id: 'register',
    ready: async (t) => (options) =>
      t.call('register', { ...options, headers: { ...secretHeader(t.target), ...options.headers } }),
    text: async (t) => JSON.stringify({ name: t.word() }),
  },
  {
    id: 'init',
    ready: async (t) => {
      const { key } = await t.sharedRoot();
      return (options) => t.call('init', { ...options, key });
    },
    text: async () => '{}',
  },
  {
    id: 'work-proof.post',
    needs: ['beats'],
    ready: async (t) => (options) => t.call('work-proof.post', options),
    text: async (t) => JSON.stringify({ work_proof: await smallProof(t) }),
  },
];

/** The part of a check id that names an endpoint. */
const wordOf = (id: EndpointId): string => id.replace('.', '-');

/** A work proof of three beats. */
async function smallProof(t: Trial): Promise<WorkProof> {
  // Uses the difficulty of agents' chains, since only D-08 says which lower difficulty is accepted.
  const { difficulty } = t.protocol.beat;
  return proofOf(
    computeChain(t.hex(32), 3, await latestAnchor(t), { difficulty, spotChecks: sureSpotChecks(t.protocol) }),
  );
}

/** Asserts that the route has read its body and accepted it: the counterpart of the refusals. */
function accepted(t: Trial, id: EndpointId, reply: Reply, ...clauses: readonly string[]): void {
  const isProven = id !== 'work-proof.post' || receiptIn(reply) !== undefined;
  // A reply below 400 without a receipt refuses the proof and not the body: no evidence for these clauses or against them.
  t.accepted(reply, ...(isProven || reply.status >= 400 ? clauses : []));
  t.need(isProven || undefined, `a work proof that ${reply.name} accepts (it answered ${reply.excerpt()})`);
}

/** Bodies that are not a JSON object. */
const noObjects = ['{"name": ', '[]', '"name"'];
/** Content types other than JSON: the parameters are no part of a media type. */
const otherTypes = ['text/plain; as=application/json', ''];

const faulty = routes.map(
  ({ id, needs = [], ready, text }): WrittenCheck => ({
    needs,
    id: `body/${wordOf(id)}`,
    title: `${id} refuses a body of another content type than JSON, and one that is not a JSON object`,
    async run(t) {
      const send = await ready(t);
      const rawBody = await text(t);
      for (const type of otherTypes) await send({ rawBody, headers: { 'content-type': type } });
      for (const rawBody of noObjects) await send({ rawBody });
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      const remake = (): Promise<string> => text(t);
      accepted(t, id, await send({ rawBody: await remake(), remake, headers }));
    },
  }),
);

/** A JSON object of exactly `bytes` bytes around these fields. */
function padded(fields: Readonly<Record<string, unknown>>, bytes: number): string {
  const bare = Buffer.byteLength(JSON.stringify({ ...fields, pad: '' }));
  return JSON.stringify({ ...fields, pad: 'x'.repeat(bytes - bare) });
}

const bodySize: WrittenCheck = {
  id: 'body/size',
  title: 'A body of 65,536 bytes is read, a longer one refused',
  async run(t) {
    const { key } = await t.sharedRoot();
    const { bytesMax } = t.protocol.body;
    await t.call('init', { key, rawBody: padded({}, bytesMax + 1) });
    const largest = await t.call('init', { key, rawBody: padded({}, bytesMax) });
    t.accepted(largest, 'error.body-too-large', 'body.unknown-fields');
  },
};

const bodySizeWorkProof: WrittenCheck = {
  needs: ['beats'],
  id: 'body/size-work-proof',
  title: 'A work proof of 262,144 bytes is read, a longer one refused',
  async run(t) {
    const { proofBytesMax } = t.protocol.body;
    const send = async (bytes: number): Promise<Reply> => {
      const remake = async (): Promise<string> => padded({ work_proof: await smallProof(t) }, bytes);
      return t.call('work-proof.post', { rawBody: await remake(), remake });
    };
    await send(proofBytesMax + 1);
    accepted(t, 'work-proof.post', await send(proofBytesMax), 'error.body-too-large.proofs');
  },
};

const bodyUnknownPath: WrittenCheck = {
  id: 'body/unknown-path',
  title: 'An unknown path, and a known path without its version, gets 404',
  async run(t) {
    const { key, hash } = await t.sharedRoot();
    const unknown = await t.raw({ method: 'POST', path: '/api/v1/agent/no-such-call', key, body: {} });
    t.refused(unknown, 'any/NOT_FOUND', 'error.not-found');
    // 9: every path carries the version, so the same path without it does not exist.
    for (const id of ['init', 'status', 'beat-anchor'] as const) {
      const { method, path, body } = endpointOf(id);
      const unversioned = path.replace(/^\/api\/v1/, '').replace(':hash', hash);
      const reply = await t.raw({ method, path: unversioned, key, ...(body === null ? {} : { body: {} }) });
      const clauses = ['versioning.path', 'service.base-url', 'error.not-found'];
      t.refused(reply, 'any/NOT_FOUND', ...clauses);
    }
    t.accepted(await t.call('init', { key }), 'versioning.path', 'service.base-url');
    t.accepted(await t.send(lookup('status', hash)), 'versioning.path', 'service.base-url');
    t.accepted(await t.call('beat-anchor'), 'versioning.path', 'service.base-url');
  },
};

const methods = (
  [
    ['GET', 'init'],
    ['POST', 'fees-summary'],
    ['PUT', 'beat-anchor'],
    ['DELETE', 'status'],
  ] as const
).map(
  ([method, id]): WrittenCheck => ({
    id: `body/method-${method.toLowerCase()}-${id}`,
    title: `${method} on ${id} is refused, and Allow names the accepted method`,
    async run(t) {
      const { key, hash } = await t.sharedRoot();
      const { method: right, path } = endpointOf(id);
      const body = method === 'POST' || method === 'PUT' ? { body: {} } : {};
      t.mustSucceed(await t.call(id, { key, params: { hash } }));
      const reply = await t.raw({ method, path: path.replace(':hash', hash), key, ...body });
      t.refused(reply, 'any/METHOD_NOT_ALLOWED', 'error.method-not-allowed');
      const allowed = (reply.headers['allow'] ?? '').split(',').map((each) => each.trim());
      const named = allowed.includes(right);
      t.shows('error.method-not-allowed').that('Allow', named, right, allowed.join(', '), reply);
    },
  }),
);

export const bodyChecks: readonly WrittenCheck[] = [
  ...faulty,
  bodySize,
  bodySizeWorkProof,
  bodyUnknownPath,
  ...methods,
];
