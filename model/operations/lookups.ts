/** The public lookups: status, verify, beat-status, and the batch of 4.14. */

import { groups } from '../../spec/clauses/groups.js';
import type { ErrorKey } from '../../spec/errors.js';
import type { Case, Operation } from '../case.js';
import { unlessUnknown } from '../facts/earlier.js';
import { isRespelled } from '../facts/spelling.js';
import type { Agent } from '../facts/state.js';
import { sameMeaning } from '../reading/compare.js';
import { isAgentHash } from '../reading/field-tests.js';
import type { Known } from '../reading/known.js';
import { at } from '../reading/values.js';
import { judgeStatus, judgeVerified } from '../views/agent.js';
import { judgeBeatStatus } from '../views/beat-status.js';

interface Lookup {
  readonly agent: Agent | undefined;
  readonly isHash: boolean;
}

/** Whether a reply says that there is no such agent, with any status. */
const reportsNoAgent = ({ call: { json } }: Case): boolean =>
  ['exists', 'verified', 'found', 'beat_initialized'].some((field) => at(json, field) === false);

function lookup(
  id: 'status' | 'verify' | 'beat-status',
  judge: (given: Case, agent: Agent) => void,
): Operation<Lookup> {
  return {
    ids: [id],
    facts: ({ call, state }) => {
      const hash = call.hash ?? '';
      return { agent: state.agents.get(hash), isHash: isAgentHash.holds(hash) };
    },
    refusals: [
      {
        row: `${id}/INVALID_HASH` as ErrorKey,
        clauses: id === 'status' ? ['status.error.invalid-hash'] : [],
        when: ({ isHash }) => !isHash,
      },
      {
        row: `${id}/AGENT_NOT_FOUND` as ErrorKey,
        clauses: id === 'beat-status' ? [] : [`${id}.error.not-found`],
        when: ({ agent, isHash }) => isHash && agent === undefined,
      },
    ],
    open: ({ agent }) =>
      id === 'beat-status' && agent?.started === false
        ? 'the text does not say what beat-status shows for a chain that has not started'
        : undefined,
    accepts: () => [`${id}.purpose`],
    accepted: ({ agent, isHash }, given) => {
      const { state, call, judgement } = given;
      // Before the chain of an agent starts, beat-status may report that nothing exists.
      const isNone = reportsNoAgent(given) && (id !== 'beat-status' || agent?.started === true);
      if (agent !== undefined && isNone && isRespelled(state, call.hashWritten))
        judgement.that('an agent by its hash in another case', false, 'the same agent', 'none', 'agent.hash.case');
      else if (agent !== undefined) judge(given, agent);
      // Any reply is right, as long as it shows no agent.
      else
        judgement.that(
          'an agent that does not exist',
          reportsNoAgent(given),
          'nothing found',
          'an agent',
          isHash ? `${id}.purpose` : 'convention.agent-hash',
        );
    },
    refused: ({ isHash }, given) => {
      const { call, judgement } = given;
      if (!isHash) judgement.that('a malformed hash', true, '', '', 'convention.agent-hash');
      else if (id !== 'beat-status') {
        const clause = `${id}.error.not-found`;
        judgement.that('an agent that does not exist', reportsNoAgent(given), 'nothing found', call.json, clause);
        judgement.equals('hash', call.hash, clause);
        judgement.that('a hash of nobody', true, '', '', `${id}.purpose`);
      }
    },
  };
}

export const status = lookup('status', judgeStatus);
export const verify = lookup('verify', (given, agent) => judgeVerified(given, '', agent));
export const beatStatus = lookup('beat-status', judgeBeatStatus);

interface Batch {
  readonly hashes: unknown;
  readonly list: readonly unknown[];
}

/** 4.14: the fields that the result of a found agent must have, except its passport. Fields that do not apply to the agent may be missing. */
function foundFields({ sigil, started }: Agent): readonly string[] {
  const own = [...(sigil === null ? [] : ['sigil']), ...(started ? ['beat_state'] : [])];
  return ['standing', 'agent', ...own, 'network', 'lineage', 'root'];
}

export const verifyBatch: Operation<Batch> = {
  ids: ['verify-batch'],
  facts: ({ call }) => {
    const hashes = call.body?.['hashes'];
    return { hashes, list: Array.isArray(hashes) ? hashes : [] };
  },
  refusals: [
    {
      row: 'verify-batch/INVALID_INPUT',
      also: [...groups.batchMin],
      when: ({ hashes, list }, { state }) =>
        hashes === undefined || (Array.isArray(hashes) && list.length < state.settings.protocol.verifyBatch.hashesMin),
    },
    {
      row: 'verify-batch/BATCH_TOO_LARGE',
      also: [...groups.batchMax],
      when: ({ list }, { state }) => list.length > state.settings.protocol.verifyBatch.hashesMax,
    },
    {
      row: 'verify-batch/INVALID_HASH',
      also: ['convention.agent-hash', 'verify-batch.body.hashes'],
      when: ({ list }) => list.some((item) => typeof item === 'string' && !isAgentHash.holds(item)),
    },
    // Section 7 has two codes that fit a value that is not a list, and an item that is not a text.
    ...(['verify-batch/INVALID_HASH', 'verify-batch/INVALID_INPUT'] as const).map((row) => ({
      row,
      clauses: ['verify-batch.body.hashes'],
      when: ({ hashes, list }: Batch): Known =>
        (hashes !== undefined && !Array.isArray(hashes)) || list.some((item) => typeof item !== 'string'),
    })),
  ],
  accepts: () => ['verify-batch.reply.results', ...groups.batchMax],
  accepted: ({ list }, given) => {
    const { state, call, judgement } = given;
    const { json } = call;
    const isOpen = list.some((hash) => isRespelled(state, hash));
    const isThere = (hash: unknown): boolean => state.agents.has(String(hash).toLowerCase());
    const found = isOpen ? undefined : unlessUnknown(() => list.filter(isThere).length);
    const missing = found === undefined ? undefined : list.length - found;
    judgement.equals('summary.total', list.length, 'verify-batch.reply.summary');
    judgement.equals('summary.verified', found, 'verify-batch.reply.summary');
    judgement.equals('summary.not_found', missing, 'verify-batch.reply.summary');
    const results = at(json, 'results');
    const length = Array.isArray(results) ? results.length : undefined;
    judgement.that('results', length === list.length, `${list.length} results`, length, 'verify-batch.reply.results');
    list.forEach((hash, nth) => {
      const first = list.indexOf(hash);
      if (first < nth && typeof hash === 'string') {
        const [one, other] = [at(results, String(first)), at(results, String(nth))];
        judgement.that('results.n of a hash named twice', sameMeaning(other, one), one, other, 'verify-batch.repeat');
      }
      if (state.agents.isUnknown(String(hash).toLowerCase())) return;
      const agent = state.agents.get(String(hash).toLowerCase());
      const field = (name: string): string => `results.${nth}.${name}`;
      if (agent === undefined) {
        judgement.equals(field('verified'), false, 'verify-batch.reply.missing', 'verify-batch.reply.order');
        judgement.equals(field('hash'), hash, 'verify-batch.reply.missing', 'verify-batch.reply.order');
        const error = at(json, field('error'));
        judgement.that('results.n.error', typeof error === 'string', 'a text', error, 'verify-batch.reply.missing');
      } else if (isRespelled(state, hash) && at(json, field('verified')) === false) {
        judgement.equals(field('verified'), true, 'verify-batch.case');
      } else {
        const known = isRespelled(state, hash)
          ? ['verify-batch.case']
          : ['verify-batch.reply.found', 'verify-batch.reply.order'];
        judgement.equals(field('verified'), true, ...known);
        const [lineage, network] = [at(json, field('lineage')), at(json, field('network'))];
        judgement.that('results.n.lineage', Array.isArray(lineage), 'an array', lineage, 'verify-batch.reply.lineage');
        const isNetwork =
          typeof at(network, 'current_anchor_index') !== 'string' &&
          at(network, 'current_anchor_index') !== undefined &&
          typeof at(network, 'anchor_degraded') === 'boolean';
        judgement.that('results.n.network', isNetwork, 'index and flag', network, 'verify-batch.reply.network');
        const fields = foundFields(agent);
        const lacks = fields.filter((name) => at(json, field(name)) === undefined);
        judgement.that(
          'results.n',
          lacks.length === 0,
          fields.join(', '),
          `no ${lacks.join()}`,
          'verify-batch.reply.found',
        );
        judgement.shown(field('agent.hash'), agent.hash, 'verify-batch.reply.order');
        judgeVerified(given, `results.${nth}.`, agent);
        judgeBatchPassport(given, field('passport'), agent);
      }
    });
  },
};

/** 4.14: judges the passport in the result of a found agent, which may be null. */
function judgeBatchPassport({ call, judgement }: Case, path: string, agent: Agent): void {
  const shown = at(call.json, path);
  if (agent.passport === null || typeof shown !== 'object' || shown === null) {
    judgement.that(
      'results.n.passport',
      shown === null || (agent.passport !== null && typeof shown === 'object'),
      'null',
      shown,
      'verify-batch.reply.passport',
    );
    return;
  }
  judgement.equals(`${path}.agent_hash`, agent.hash, 'passport.field.agent-hash');
  judgement.equals(
    `${path}.identity_class`,
    agent.sigil?.identity_class ?? null,
    ...(agent.sigil === null ? [] : ['passport.field.identity-class']),
  );
  judgement.equals(`${path}.last_heartbeat_beat`, agent.lastBeat ?? 0, 'passport.field.last-heartbeat-beat');
}
