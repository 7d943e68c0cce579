/** The clauses for clients about payments, heartbeats, work, spawning, freezing and limits. */

import { protocol } from '../spec/protocol.js';
import { after, type ClientClause, each, usedOnce, withoutRefusal } from './evidence.js';
import { accepted, callsOf, type Exchange, fieldsOf, type WatchedRun } from './exchange.js';

const PAID = ['POST /agent/heartbeat', 'POST /sigil', 'POST /agent/reissue-proof'];
const paid = (run: WatchedRun): readonly Exchange[] =>
  PAID.flatMap((call) => callsOf(run, call)).toSorted((a, b) => a.n - b.n);
const heartbeats = (run: WatchedRun): readonly Exchange[] => callsOf(run, 'POST /agent/heartbeat');
const spawns = (run: WatchedRun): readonly Exchange[] => callsOf(run, 'POST /agent/spawn');
const resyncs = (run: WatchedRun): readonly Exchange[] => callsOf(run, 'POST /agent/resync');
const codeOf = ({ reply }: Exchange): string => String(reply['code']);

/** The proofs of beats and of work, in the wrapped form and the flat one. */
function proofsIn(run: WatchedRun): readonly (readonly [Exchange, Readonly<Record<string, unknown>>])[] {
  const calls = ['POST /agent/beats/submit', 'POST /beat/work-proof', 'POST /agent/resync'];
  return run.exchanges
    .filter(({ method, path }) => calls.includes(`${method} ${path.replace('/api/v1', '')}`))
    .flatMap((exchange) => {
      const { body } = exchange;
      const proof = fieldsOf(body['proof'] ?? body['work_proof'] ?? body);
      return proof['spot_checks'] === undefined ? [] : [[exchange, proof] as const];
    });
}

function eachProof(
  run: WatchedRun,
  wrong: (proof: Readonly<Record<string, unknown>>) => string | undefined,
  needs?: string,
) {
  const all = proofsIn(run).filter(([, proof]) => needs === undefined || proof[needs] !== undefined);
  const proofs = new Map(all);
  return each([...proofs.keys()], (exchange) => wrong(proofs.get(exchange) ?? {}));
}

const indexesOf = (proof: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Array.isArray(proof['spot_checks']) ? proof['spot_checks'].map((check) => fieldsOf(check)['index']) : [];

const receiptsSent = (run: WatchedRun): readonly Exchange[] =>
  [...spawns(run), ...resyncs(run)]
    .filter(({ body }) => body['beats_receipt'] !== undefined)
    .toSorted((a, b) => a.n - b.n);

export const lifeClauses: readonly ClientClause[] = [
  {
    id: 'client.payment.named',
    section: '4.5',
    text: 'A paid call names its payment.',
    look: (run) =>
      each(paid(run), ({ body }) =>
        typeof body['payment_tx'] === 'string' && body['payment_tx'] !== '' ? undefined : 'there is no payment_tx',
      ),
  },
  {
    id: 'client.payment.exact',
    section: '4.5',
    text: 'A payment is exactly the fee, confirmed, to the payment address.',
    look: (run) =>
      each(paid(run), (exchange) =>
        codeOf(exchange) === 'PAYMENT_INVALID' ? String(exchange.reply['error']) : undefined,
      ),
  },
  {
    id: 'client.payment.once',
    section: '7',
    text: 'A payment pays one fee.',
    look: (run) => usedOnce(paid(run), ({ body }) => body['payment_tx'], 'the payment has paid before', accepted),
  },
  {
    id: 'client.payment.sender',
    section: '4.5',
    text: "A payment comes from the agent's wallet or its sponsor's.",
    look: (run) => withoutRefusal(paid(run), ['PAYMENT_SENDER_MISMATCH'], 'another wallet has paid'),
  },
  {
    id: 'client.payment.wallet',
    section: '5',
    text: 'An agent without a wallet links one before it calls a paid route.',
    look: (run) => withoutRefusal(paid(run), ['WALLET_REQUIRED'], 'the agent has no wallet'),
  },
  {
    id: 'client.init.first',
    section: '3.1',
    text: 'A chain is started before its first heartbeat or proof.',
    look: (run) =>
      withoutRefusal(
        [...heartbeats(run), ...callsOf(run, 'POST /agent/beats/submit')],
        ['AGENT_NOT_INITIALIZED'],
        'the chain is not started',
      ),
  },
  {
    id: 'client.heartbeat.sigil',
    section: '4.5',
    text: 'A root buys a SIGIL before its first heartbeat.',
    look: (run) => withoutRefusal(heartbeats(run), ['SIGIL_REQUIRED'], 'it has none'),
  },
  {
    id: 'client.heartbeat.interval',
    section: '4.5',
    text: 'After HEARTBEAT_TOO_SOON the next heartbeat comes at next_eligible_beat, not before.',
    look: (run) =>
      after(
        run,
        heartbeats(run).filter((each) => codeOf(each) === 'HEARTBEAT_TOO_SOON'),
        (later) => {
          if (!later.path.endsWith('/agent/heartbeat') || later.method !== 'POST') return undefined;
          return codeOf(later) === 'HEARTBEAT_TOO_SOON' ? 'it is too soon again' : 'over';
        },
      ),
  },
  {
    id: 'client.heartbeat.global-anchor',
    section: '4.5',
    text: 'global_anchor, if sent, is a whole number that is not negative.',
    look: (run) =>
      each(
        heartbeats(run).filter(({ body }) => body['global_anchor'] !== undefined),
        ({ body: { global_anchor: given } }) =>
          Number.isInteger(given) && Number(given) >= 0 ? undefined : `it is ${String(given)}`,
      ),
  },
  {
    id: 'client.limit.retry-after',
    section: '8',
    text: 'After RATE_LIMITED the same call waits as long as Retry-After says.',
    look: (run) =>
      after(
        run,
        run.exchanges.filter(({ alteration }) => alteration === 'rate-limited'),
        (later, trigger) => {
          if (later.path !== trigger.path || later.method !== trigger.method) return undefined;
          const waited = later.cameMs - trigger.answeredMs;
          return waited < Number(trigger.reply['retry_after_ms'])
            ? `it came after ${Math.floor(waited / 100) / 10} s`
            : 'over';
        },
      ),
  },
  {
    id: 'client.refusal.no-repeat',
    section: '7',
    text: 'A refused request is not sent again as it was more than twice.',
    look: (run) => {
      const refused = run.exchanges.filter((each) => !accepted(each) && each.status !== 429);
      const counts = new Map<string, number>();
      return each(refused, ({ method, path, text, headers }) => {
        const request = JSON.stringify([method, path, text, headers['authorization']]);
        counts.set(request, (counts.get(request) ?? 0) + 1);
        return (counts.get(request) ?? 0) > 3 ? 'it was refused three times before' : undefined;
      });
    },
  },
  {
    id: 'client.proof.count',
    section: '2.4',
    text: 'beats_computed is to_beat - from_beat.',
    look: (run) =>
      eachProof(
        run,
        (proof) => {
          const { from_beat: from, to_beat: to, beats_computed: beats } = proof;
          return beats === Number(to) - Number(from) ? undefined : `${String(beats)} for ${from} to ${to}`;
        },
        'to_beat',
      ),
  },
  {
    id: 'client.proof.end-shown',
    section: '2.4',
    text: 'The spot checks include to_beat.',
    look: (run) =>
      eachProof(run, (proof) =>
        proof['to_beat'] === undefined || indexesOf(proof).includes(proof['to_beat'])
          ? undefined
          : 'the end is not shown',
      ),
  },
  {
    id: 'client.proof.checks',
    section: '2.4',
    text: 'A proof shows 3 to 25 beats, or all where there are fewer.',
    look: (run) =>
      eachProof(run, (proof) => {
        const { length } = indexesOf(proof);
        const least = Math.min(protocol.proof.spotChecksMin, Number(proof['beats_computed']));
        return length >= least && length <= protocol.proof.spotChecksMax ? undefined : `it shows ${length}`;
      }),
  },
  {
    id: 'client.proof.anchor-age',
    section: '3.6',
    text: 'A proof weaves an anchor that is current: one that is old when it is read is not used.',
    look: (run) => {
      const stale = new Set(run.exchanges.filter(({ alteration }) => alteration === 'stale-anchor').map(anchorHashOf));
      const proofs = eachProof(run, (proof) =>
        stale.has(proof['anchor_hash']) ? 'it weaves an anchor that was old' : undefined,
      );
      return stale.size === 0 ? { seen: [], faults: [] } : proofs;
    },
  },
  {
    id: 'client.proof.true',
    section: '2.4',
    text: 'The shown beats follow from each other by the hashes of their chain.',
    look: (run) =>
      each(
        proofsIn(run).map(([exchange]) => exchange),
        (exchange) => {
          const reason = exchange.reply['reason'];
          if (codeOf(exchange) === 'PROOF_INVALID' || reason === 'spot_check_failed')
            return 'a shown beat does not verify';
          return undefined;
        },
      ),
  },
  {
    id: 'client.proof.continues',
    section: '4.9',
    text: "Submitted beats continue the agent's chain where it stands.",
    look: (run) =>
      withoutRefusal(callsOf(run, 'POST /agent/beats/submit'), ['CHAIN_MISMATCH'], 'the chain stands elsewhere'),
  },
  {
    id: 'client.receipt.once',
    section: '4.8',
    text: 'A receipt is used once.',
    look: (run) =>
      usedOnce(receiptsSent(run), ({ body }) => body['beats_receipt'], 'the receipt was used before', accepted),
  },
  {
    id: 'client.receipt.intact',
    section: '2.5',
    text: 'A receipt is passed on as it was given.',
    look: (run) => {
      const given = new Set(callsOf(run, 'POST /beat/work-proof').map(({ reply }) => JSON.stringify(reply['receipt'])));
      return each(receiptsSent(run), ({ body }) =>
        given.has(JSON.stringify(body['beats_receipt'])) ? undefined : 'no such receipt was given',
      );
    },
  },
  {
    id: 'client.spawn.enough',
    section: '4.8',
    text: 'A receipt for a child has as many beats as the child costs.',
    look: (run) =>
      withoutRefusal(
        spawns(run).filter(({ body }) => body['beats_receipt'] !== undefined),
        ['INSUFFICIENT_BEATS'],
        'it has too few beats',
      ),
  },
  {
    id: 'client.spawn.finalized',
    section: '3.6',
    text: 'A registered child is linked to its parent by a last call of spawn.',
    look: (run) => {
      const born = callsOf(run, 'POST /register').filter(
        (each) => accepted(each) && each.body['spawn_authorization'] !== undefined,
      );
      return each(born, ({ n, reply }) => {
        const linked = spawns(run).some((later) => later.n > n && later.body['child_hash'] === reply['hash']);
        return linked ? undefined : 'the child was never linked';
      });
    },
  },
  {
    id: 'client.frozen.silent',
    section: '3.1',
    text: 'A client that was told AGENT_FROZEN sends no heartbeat before a resync.',
    look: (run) =>
      after(run, frozen(run), (later) => {
        if (later.path.endsWith('/agent/resync')) return 'over';
        return later.path.endsWith('/agent/heartbeat') ? 'it sends a heartbeat' : undefined;
      }),
  },
  {
    id: 'client.frozen.recovers',
    section: '4.10',
    text: 'A frozen agent is brought back by a resync.',
    look: (run) =>
      each(frozen(run), ({ n }) =>
        resyncs(run).some((later) => later.n > n && accepted(later)) ? undefined : 'no resync succeeds after it',
      ),
  },
  {
    id: 'client.resync.frozen-only',
    section: '3.1',
    text: 'Only a frozen agent asks for a resync.',
    look: (run) => withoutRefusal(resyncs(run), ['AGENT_WRONG_STATE'], 'the agent is not frozen'),
  },
  {
    id: 'client.resync.nonce-once',
    section: '4.10',
    text: 'The nonce of a resync is used once.',
    look: (run) =>
      usedOnce(
        resyncs(run),
        ({ body }) => body['challenge_nonce'],
        'the nonce was used before',
        () => true,
      ),
  },
  {
    id: 'client.resync.enough',
    section: '4.10',
    text: 'A resync proves as many beats as the penalty asks.',
    look: (run) =>
      withoutRefusal(
        resyncs(run).filter(({ body }) => body['beats_receipt'] !== undefined),
        ['INVALID_RECEIPT'],
        'the receipt is refused',
      ),
  },
  {
    id: 'client.sponsor.bounds',
    section: '4.13',
    text: 'A sponsorship caps 1 to 10,000 heartbeats an epoch.',
    look: (run) =>
      each(
        callsOf(run, 'POST /agent/sponsor').filter(({ body }) => body['max_heartbeats_epoch'] !== undefined),
        ({ body: { max_heartbeats_epoch: most } }) =>
          Number.isInteger(most) && Number(most) >= 1 && Number(most) <= 10_000 ? undefined : `it is ${String(most)}`,
      ),
  },
  {
    id: 'client.batch.size',
    section: '4.14',
    text: 'A batch asks for 1 to 50 hashes.',
    look: (run) =>
      withoutRefusal(
        callsOf(run, 'POST /verify/batch'),
        ['INVALID_INPUT', 'BATCH_TOO_LARGE', 'INVALID_HASH'],
        'the batch is refused',
      ),
  },
  {
    id: 'client.flag.reason',
    section: '4.16',
    text: 'A complaint has a reason of 1 to 2,000 characters and an identity class.',
    look: (run) => withoutRefusal(callsOf(run, 'POST /agent/flag'), ['VALIDATION'], 'the complaint is refused'),
  },
  {
    id: 'client.replies.extra-fields',
    section: '9',
    text: 'A client goes on after replies with further fields, in another order.',
    look: (run) => {
      const first = run.exchanges.filter(accepted)[0];
      if (first === undefined) return { seen: [], faults: [] };
      const wentOn = run.exchanges.some(({ n }) => n > first.n);
      return {
        seen: [first],
        faults: wentOn ? [] : [{ exchange: first, why: 'nothing comes after the first such reply' }],
      };
    },
  },
  {
    id: 'client.replies.alias-gone',
    section: '9',
    text: 'A client reads passport where the alias lineage_proof is gone.',
    look: (run) => {
      const first = heartbeats(run).filter(accepted)[0];
      if (first === undefined) return { seen: [], faults: [] };
      const wentOn = run.exchanges.some(({ n }) => n > first.n) || run.exitStatus === 0;
      return {
        seen: [first],
        faults: wentOn ? [] : [{ exchange: first, why: 'the client fails after a reply without the alias' }],
      };
    },
  },
];

const frozen = (run: WatchedRun): readonly Exchange[] => {
  const refusals = run.exchanges.filter((each) => codeOf(each) === 'AGENT_FROZEN');
  return refusals.slice(0, 1);
};

const anchorHashOf = ({ reply }: Exchange): unknown => fieldsOf(reply['anchor'])['hash'];
