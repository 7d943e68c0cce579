/** POST /sigil (4.6) and PATCH /agent/metadata, which needs a SIGIL (4.11). */

import * as fc from 'fast-check';
import { feeNow } from '../../../model/facts/fees.js';
import { dialects } from '../../../spec/dialect.js';
import { addedClasses } from '../../../spec/parts.js';
import { protocol } from '../../../spec/protocol.js';
import { change as changeMove, changesOf } from '../../moves/metadata.js';
import { namesOf } from '../../moves/move.js';
import { buySigil as buyMove, type Purchase, principalLengths, purchaseFaults } from '../../moves/sigil.js';
import { anyOf, mostly, place, request, weighted } from '../operation.js';
import { paid, paying } from './paid.js';

const FAULTS: Readonly<Record<string, Purchase>> = Object.assign({}, ...Object.values(purchaseFaults));

/** POST /sigil. `added`: the first class that a change adds, if it adds one. */
export const buySigil = request(
  'sigil',
  {
    agent: place,
    identityClass: weighted('narrow_task', 3, [
      'autonomous',
      'autonomous',
      'autonomous',
      'orchestrator',
      'orchestrator',
      'orchestrator',
      'worker',
      'added',
    ]),
    tier: mostly('ind', 'org', 'sov', 'eph', 'sbx', 'gov'),
    principal: mostly('word', 'upper', 'long', 'longest', 'of-another'),
    name: anyOf('absent', 'auto', 'word', 'word', 'of-another', 'upper'),
    fault: mostly<string>('nothing', ...namesOf(FAULTS)),
    ...paying,
  },
  async (player, action) => {
    const { state, draws, target } = player;
    const [added] = addedClasses(target.protocol);
    const identityClass = action.identityClass === 'added' ? (added?.name ?? 'narrow_task') : action.identityClass;
    const { hash } = player.agent(action.agent);
    const fee = feeNow(state, player.known(action.agent), `sigil_${identityClass}`);
    const payment_tx = await paid(player, action.agent, fee, action);
    const { longest, long } = principalLengths(target.protocol, `a${draws.hex(12)}`);
    const other = state.agents.all().findLast((each) => each.hash !== hash && each.sigil !== null)?.sigil;
    const word = draws.word();
    const principal = {
      word: `p${draws.hex(6)}`,
      upper: `P${draws.hex(6)}`,
      long,
      longest,
      'of-another': other?.principal ?? 'p',
    }[action.principal];
    const name = { auto: 'auto', absent: undefined, word, 'of-another': other?.sigil_name ?? word, upper: 'Upper' };
    const what = { identity_class: identityClass, principal, tier: action.tier, name: name[action.name] };
    return buyMove(player.agent(action.agent), { ...what, ...FAULTS[action.fault] }, payment_tx);
  },
);

/** PATCH /agent/metadata: one of all changes. */
export const changeMetadata = request(
  'metadata',
  {
    agent: place,
    change: { usual: 0, arbitrary: fc.nat(changesOf({ protocol, dialect: dialects.service }).length - 1) },
  },
  (player, { agent, change }) => {
    const all = changesOf(player.target);
    return changeMove(player.agent(agent), all[change % all.length]);
  },
);
