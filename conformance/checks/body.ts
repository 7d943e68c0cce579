import { registeredAgent } from '../../spec/endpoints/register.js';
import type { Reply } from '../assertions/reply.js';
import { computeChain, proofOf, type WorkProof } from '../protocol/beats.js';
import { type EndpointId, endpointOf } from '../protocol/endpoints.js';
import { latestAnchor } from '../steps/beat-clock.js';
import type { CallOptions } from '../trial/caller.js';
import type { Check } from '../trial/check.js';
import { registrationHeaders } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** A call with a body: how a well-formed one is sent, and what it costs. */
interface BodyRoute {
  readonly id: EndpointId;
  readonly cost: Pick<Check, 'registers' | 'walletRegisters' | 'needs'>;
  /** Prepares an agent and a body, and sends it as JSON text under the headers given. */
  readonly ready: (t: Trial) => Promise<(options: CallOptions) => Promise<Reply>>;
  /** The text of a body that the route accepts. */
  readonly text: (t: Trial) => Promise<string>;
}

const free = { registers: 0, needs: [] } as const;
const oneAgent = { registers: 1, needs: [] } as const;

const routes: readonly BodyRoute[] = [
  {
    id: 'register',
    cost: oneAgent,
    ready: async (t) => (options) =>
      t.call('register', { ...options, headers: { ...registrationHeaders(t.session), ...options.headers } }),
    text: async (t) => JSON.stringify({ name: t.word() }),
  },
  {
    id: 'init',
    cost: free,
    ready: async (t) => {
      const { key } = await t.sharedRoot();
      return (options) => t.call('init', { ...options, key });
    },
    text: async () => '{}',
  },
  {
    id: 'work-proof.post',
    cost: { ...free, needs: ['beats'] },
    ready: async (t) => (options) => t.call('work-proof.post', options),
    text: async (t) => JSON.stringify({ work_proof: await smallProof(t) }),
  },
];

/** The word of an endpoint in an id. */
const wordOf = (id: EndpointId): string => id.replace('.', '-');

/** A work proof of three beats. */
async function smallProof(t: Trial): Promise<WorkProof> {
  const difficulty = t.protocol.work.difficultyMin;
  return proofOf(computeChain(t.hex(32), 3, await latestAnchor(t), { difficulty }));
}

/** The twin: the route reads its body and accepts it. */
function accepted(t: Trial, id: EndpointId, reply: Reply): void {
  t.accepted(reply, id === 'register' ? registeredAgent : undefined);
  if (id === 'work-proof.post') t.equal('ok', reply.get('ok'), true);
}

const contentTypes = routes.map(
  ({ id, cost, ready, text }): Check => ({
    ...cost,
    registers: id === 'register' ? 3 : cost.registers,
    id: `body/content-type-${wordOf(id)}`,
    title: `${id} refuses a body of another content type than JSON`,
    clauses: ['error.content-type-required'],
    requests: 4,
    writes: true,
    refusal: true,
    async run(t) {
      const send = await ready(t);
      const rawBody = await text(t);
      for (const type of ['text/plain', '']) {
        t.refused(await send({ rawBody, headers: { 'content-type': type } }), 'any/CONTENT_TYPE_REQUIRED');
      }
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      accepted(t, id, await send({ rawBody, headers }));
    },
  }),
);

const syntaxes = routes.flatMap(({ id, cost, ready, text }) =>
  (
    [
      ['not-json', '{"name": '],
      ['array', '[]'],
      ['text', '"name"'],
    ] as const
  ).map(
    ([word, rawBody]): Check => ({
      ...cost,
      registers: id === 'register' ? 2 : cost.registers,
      id: `body/${word}-${wordOf(id)}`,
      title: `${id} refuses a body that is ${word === 'not-json' ? 'not JSON' : `a JSON ${word}`}`,
      clauses: ['error.invalid-json'],
      requests: 3,
      writes: true,
      refusal: true,
      async run(t) {
        const send = await ready(t);
        t.refused(await send({ rawBody }), 'any/INVALID_JSON');
        accepted(t, id, await send({ rawBody: await text(t) }));
      },
    }),
  ),
);

/** A JSON object of exactly so many bytes around these fields. */
function padded(fields: Readonly<Record<string, unknown>>, bytes: number): string {
  const bare = Buffer.byteLength(JSON.stringify({ ...fields, pad: '' }));
  return JSON.stringify({ ...fields, pad: 'x'.repeat(bytes - bare) });
}

const size: Check = {
  ...free,
  id: 'body/size',
  title: 'A body of 65,536 bytes is read, a longer one refused',
  clauses: ['error.body-too-large', 'body.unknown-fields'],
  requests: 3,
  writes: true,
  refusal: true,
  async run(t) {
    const { key } = await t.sharedRoot();
    const { bytesMax } = t.protocol.body;
    t.refused(await t.call('init', { key, rawBody: padded({}, bytesMax + 1) }), 'any/BODY_TOO_LARGE');
    t.accepted(await t.call('init', { key, rawBody: padded({}, bytesMax) }));
  },
};

const proofSize: Check = {
  ...free,
  needs: ['beats'],
  id: 'body/size-work-proof',
  title: 'A work proof of 262,144 bytes is read, a longer one refused',
  clauses: ['error.body-too-large.proofs'],
  requests: 3,
  writes: true,
  refusal: true,
  async run(t) {
    const { proofBytesMax } = t.protocol.body;
    const work_proof = await smallProof(t);
    const send = (bytes: number): Promise<Reply> =>
      t.call('work-proof.post', { rawBody: padded({ work_proof }, bytes) });
    t.refused(await send(proofBytesMax + 1), 'any/BODY_TOO_LARGE');
    t.equal('ok', t.accepted(await send(proofBytesMax)).get('ok'), true);
  },
};

const notFound: Check = {
  ...free,
  id: 'body/unknown-path',
  title: 'A path that no endpoint has is refused with 404',
  clauses: ['error.not-found', 'versioning.path'],
  requests: 4,
  writes: true,
  refusal: true,
  async run(t) {
    const { key } = await t.sharedRoot();
    // 9: every path carries the version, so the same path without it is none.
    for (const path of ['/api/v1/agent/no-such-call', '/agent/init']) {
      const reply = await t.raw({ method: 'POST', path, key, body: {} });
      t.that(`${reply.name}: status`, reply.status >= 400 && reply.status < 500, 'a refusal (4xx)', `${reply.status}`);
      t.decided('D-33', () => t.refused(reply, 'any/NOT_FOUND'));
    }
    t.accepted(await t.call('init', { key }));
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
  ([method, id]): Check => ({
    ...free,
    id: `body/method-${method.toLowerCase()}-${id}`,
    title: `${method} is refused by ${id}, and Allow names the method that is not`,
    clauses: ['error.method-not-allowed'],
    requests: 4,
    writes: true,
    refusal: true,
    async run(t) {
      const { key, hash } = await t.sharedRoot();
      const { method: right, path } = endpointOf(id);
      const body = method === 'POST' || method === 'PUT' ? { body: {} } : {};
      t.accepted(await t.call(id, { key, params: { hash } }));
      const reply = await t.raw({ method, path: path.replace(':hash', hash), key, ...body });
      t.refused(reply, 'any/METHOD_NOT_ALLOWED');
      const allowed = (reply.headers['allow'] ?? '').split(',').map((each) => each.trim());
      t.that('Allow', allowed.includes(right), right, allowed.join(', '));
    },
  }),
);

export const bodyChecks: readonly Check[] = [...contentTypes, ...syntaxes, size, proofSize, notFound, ...methods];
