/** The findings of the lint about states that nobody reaches or leaves, as the small world shows them: confirmed by play, contradicted, or outside. */

import type { ExploredLint, ExploreResult } from '../../results/explore-result.js';
import type { Finding } from '../../spec/lint/finding.js';

type Answers = Omit<ExploreResult, 'lint'>;

/** A way in which play shows a finding: in words, and whether these answers do. */
type Shown = readonly [by: string, holds: (answers: Answers) => boolean];

const holds =
  (text: string) =>
  ({ invariants }: Answers): boolean =>
    invariants.some((each) => each.text === text && each.broken === undefined);
const isDead =
  (row: string) =>
  ({ rows }: Answers): boolean =>
    rows.dead.includes(row);
const STAYS = 'a linked wallet, a SIGIL, a link and a revocation stay';

const SHOWN: Readonly<Record<string, Shown>> = {
  'unreachable/metadata-agent-not-found': ['no state gives the error', isDead('metadata/AGENT_NOT_FOUND')],
  'unreachable/wallet-agent-not-found': ['no state gives the error', isDead('wallet/AGENT_NOT_FOUND')],
  'unreachable/sponsor-parent-frozen': [
    'in no state a sponsorship by a frozen agent is active',
    holds('no sponsorship by a frozen agent is active'),
  ],
  'no-exit/wallet-linked': ['no move unlinks a wallet', holds(STAYS)],
  'no-exit/sigil-issued': ['no move takes a SIGIL away', holds(STAYS)],
  'no-exit/key-revoked': [
    'every trap is behind a revocation',
    ({ goals }) =>
      goals.every(({ traps }) =>
        traps.every(({ script }) => script.sequence.actions.some(({ op }) => op === 'revoke-key')),
      ) && goals.some(({ traps }) => traps.length > 0),
  ],
  'no-exit/flag-sustained': [
    'without reviews a sustained complaint is a trap',
    ({ without }) =>
      without.some(
        ({ part, goals }) =>
          part === 'review' &&
          goals.some(
            ({ id, traps }) =>
              id === 'heartbeat' && traps.some(({ script }) => script.sequence.actions.at(-1)?.op === 'review'),
          ),
      ),
  ],
  'penalty-loop/cap-narrow-task': [
    'an agent at its cap freezes before the epoch ends, and pays a penalty',
    ({ prices }) =>
      prices.some(({ condition, worst }) => condition === 'active, at its cap' && worst.some(({ beats }) => beats > 0)),
  ],
};

/** Kinds of findings about states and moves; the others are about prices, rates and sizes. */
const KINDS = new Set(['unreachable', 'no-exit', 'penalty-loop']);

/** Each finding about states: whether the answers confirm it. Only a whole world without a bound can. */
export function lintShown(findings: readonly Finding[], answers: Answers): readonly ExploredLint[] {
  const { complete, quick } = answers.world;
  if (!complete || quick) return [];
  return findings
    .filter(({ id }) => KINDS.has(id.split('/')[0] ?? ''))
    .map(({ id }): ExploredLint => {
      const shown = SHOWN[id];
      if (shown === undefined)
        return { id, state: 'outside', by: 'it is about calls or numbers that the small world does not have' };
      return { id, state: shown[1](answers) ? 'confirmed' : 'contradicted', by: shown[0] };
    });
}
