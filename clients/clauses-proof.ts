/** The clauses for clients about proofs of beats and of work, and about their receipts. */

import { protocol } from '../spec/protocol.js';
import { type ClientClause, each, usedOnce, withoutRefusal } from './evidence.js';
import { callsOf, codeOf, type Exchange, fieldsOf, resyncsOf, spawnsOf, type WatchedRun } from './exchange.js';

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

/** Looks at each proof, or only at those that have the field `having`; `wrong` returns why one breaks the clause. */
function eachProof(
  run: WatchedRun,
  wrong: (proof: Readonly<Record<string, unknown>>) => string | undefined,
  { having }: { readonly having?: string } = {},
) {
  const all = proofsIn(run).filter(([, proof]) => having === undefined || proof[having] !== undefined);
  const proofs = new Map(all);
  return each([...proofs.keys()], (exchange) => wrong(proofs.get(exchange) ?? {}));
}

const indexesOf = (proof: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Array.isArray(proof['spot_checks']) ? proof['spot_checks'].map((check) => fieldsOf(check)['index']) : [];

const receiptsSent = (run: WatchedRun): readonly Exchange[] =>
  [...spawnsOf(run), ...resyncsOf(run)]
    .filter(({ body }) => body['beats_receipt'] !== undefined)
    .toSorted((a, b) => a.n - b.n);

const anchorHashOf = ({ reply }: Exchange): unknown => fieldsOf(reply['anchor'])['hash'];

export const proofClauses: readonly ClientClause[] = [
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
        { having: 'to_beat' },
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
    text: 'A proof weaves a current anchor: an anchor that was already old when it was read is not used.',
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
    text: "Submitted beats continue the agent's chain at its end.",
    look: (run) =>
      withoutRefusal(callsOf(run, 'POST /agent/beats/submit'), ['CHAIN_MISMATCH'], 'the chain ends elsewhere'),
  },
  {
    id: 'client.receipt.once',
    section: '4.8',
    text: 'A receipt is used once.',
    look: (run) =>
      usedOnce(receiptsSent(run), { valueIn: ({ body }) => body['beats_receipt'], why: 'the receipt was used before' }),
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
];
