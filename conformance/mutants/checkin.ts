/** Mistakes planted in the retired check-in call. */
import type { Mutant } from './mutant.js';

const checkinEndpoint = 'reference/http/endpoints/checkin';

export const checkinMutants: readonly Mutant[] = [
  {
    id: 'checkin/works',
    title: 'a check-in is answered with ok',
    clause: 'checkin.gone',
    patch: {
      file: checkinEndpoint,
      before: "refuse('checkin/GONE', 'checkin is retired: use POST /api/v1/agent/heartbeat', { deprecated: true })",
      after: '({ ok: true, status: 200, body: { ok: true } })',
    },
  },
  {
    id: 'checkin/deprecated-false',
    title: 'deprecated is false',
    clause: 'checkin.reply.deprecated',
    patch: { file: checkinEndpoint, before: '{ deprecated: true }', after: '{ deprecated: false }' },
  },
  {
    id: 'checkin/deprecated-text',
    title: 'deprecated is a text',
    clause: 'checkin.reply.deprecated',
    patch: { file: checkinEndpoint, before: '{ deprecated: true }', after: "{ deprecated: 'true' }" },
  },
  {
    id: 'checkin/is-not-found',
    title: 'a check-in is not found',
    clause: 'versioning.checkin',
    patch: {
      file: checkinEndpoint,
      before: "refuse('checkin/GONE', 'checkin is retired: use POST /api/v1/agent/heartbeat', { deprecated: true })",
      after: "({ ok: false, row: { status: 404, code: 'NOT_FOUND', cause: 'no endpoint' } })",
    },
  },
  {
    id: 'checkin/proof-still-validated',
    title: 'a body with an older proof is still validated',
    clause: 'checkin.gone',
    patch: {
      file: 'reference/http/request/route',
      before: '    const ledgerReady = !route',
      after:
        "    if (endpoint.stem === 'checkin') {\n        const old = await readBody(req, res, bytesMax);\n        if (old.ok && 'proof' in old.value)\n            return refuse('beats-submit/PROOF_INVALID', 'the proof is invalid');\n    }\n    const ledgerReady = !route",
    },
  },
  {
    id: 'checkin/frozen-refused',
    title: 'a frozen agent is refused with 403 and not 410',
    clause: 'checkin.gone',
    patch: {
      file: 'reference/http/endpoints/checkin',
      before: "import { route } from '../request/route.js';",
      after:
        "import { FROZEN } from '../../registry/state.js';\nimport { ANONYMOUS, byAgentKey } from '../request/authentication.js';\nimport { route } from '../request/route.js';\nfunction known(arrival) {\n    const caller = byAgentKey(arrival);\n    return caller.ok ? caller : ANONYMOUS;\n}",
      also: [
        {
          file: 'reference/http/endpoints/checkin',
          before:
            "route(checkin, () => refuse('checkin/GONE', 'checkin is retired: use POST /api/v1/agent/heartbeat', { deprecated: true }));",
          after:
            "route(checkin, ({ registry, agent }) => agent >= 0 && registry.agents.line.status(agent) === FROZEN\n    ? refuse('heartbeat/AGENT_FROZEN')\n    : refuse('checkin/GONE', 'checkin is retired: use POST /api/v1/agent/heartbeat', { deprecated: true }), { authenticate: known });",
        },
      ],
    },
  },
];
