/** POST /sigil (4.6) and PATCH /agent/metadata, which needs a SIGIL (4.11). */

import * as fc from 'fast-check';
import { priceOf } from '../../../model/facts/fees.js';
import { addedClasses } from '../../../spec/parts.js';
import { type Protocol, protocol } from '../../../spec/protocol.js';
import { anyOf, mostly, oftener, place, request } from '../operation.js';
import { paid, paying } from './paid.js';

/** POST /sigil. `added`: the first class that a change adds, where it adds one. */
export const buySigil = request(
  'sigil',
  {
    agent: place,
    identityClass: oftener('narrow_task', 3, [
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
    principal: mostly('word', 'upper', 'long', 'longest', 'hyphen', 'of-another'),
    name: anyOf('absent', 'auto', 'word', 'word', 'of-another', 'upper'),
    omit: mostly('nothing', 'identity_class', 'principal', 'tier'),
    ...paying,
  },
  async (player, action) => {
    const { state, draws, target } = player;
    const [added] = addedClasses(target.protocol);
    const identityClass = action.identityClass === 'added' ? (added?.name ?? 'narrow_task') : action.identityClass;
    const { key, hash } = player.agent(action.agent);
    const { fee } = priceOf(state, player.known(action.agent), { feeType: 'sigil', name: `sigil_${identityClass}` });
    const payment_tx = await paid(player, action.agent, fee, action);
    const { principalCharsMax } = target.protocol.sigil;
    const longest = `a${draws.hex(principalCharsMax)}`.slice(0, principalCharsMax);
    const other = state.agents.all().findLast((each) => each.hash !== hash && each.sigil !== null)?.sigil;
    const word = draws.word();
    const principal = {
      word: `p${draws.hex(6)}`,
      upper: `P${draws.hex(6)}`,
      long: `${longest}c`,
      longest,
      hyphen: '-a',
      'of-another': other?.principal ?? 'p',
    }[action.principal];
    const name = { auto: 'auto', absent: undefined, word, 'of-another': other?.sigil_name ?? word, upper: 'Upper' };
    const whole = { identity_class: identityClass, principal, tier: action.tier, name: name[action.name], payment_tx };
    const body = action.omit === 'nothing' ? whole : { ...whole, [action.omit]: undefined };
    return { request: { method: 'POST', path: '/sigil', key, body } };
  },
);

/** Bodies of a change under the numbers of a service: right ones, then wrong ones. */
const changes = ({ metadata }: Protocol): readonly Readonly<Record<string, unknown>>[] => [
  { substrate: 'local', substrate_provider: 'custom' },
  { substrate_model: 'x'.repeat(metadata.textCharsMax), capability: 'witness' },
  { tools: Array.from({ length: metadata.toolsMax }, () => 'x'.repeat(metadata.toolCharsMax)) },
  { protocol: 'a2a', compliance_regime: 'none', modality_input: ['text'], modality_output: ['text'] },
  { generation_trigger: 'retrained' },
  { generation_trigger: 'again', capability_scope: 'all' },
  { endpoint: 'https://agent.example/a2a' },
  { substrate: 'cloud' },
  { capability: 'writer' },
  { substrate_model: 'x'.repeat(metadata.textCharsMax + 1) },
  { capability_scope: 'x'.repeat(metadata.textCharsMax + 1) },
  { endpoint: `https://agent.example/${'x'.repeat(metadata.textCharsMax)}` },
  { generation_trigger: 'x'.repeat(metadata.textCharsMax + 1) },
  { tools: Array.from({ length: metadata.toolsMax + 1 }, () => 'x') },
  { tools: ['x'.repeat(metadata.toolCharsMax + 1)] },
  { protocol: 'ftp' },
  { compliance_regime: 'ccpa' },
  { substrate_provider: 'Custom' },
  { modality_input: 'text' },
  {},
  { sigil: 'a*b*sov', substrate: 'open' },
  { sigil_name: 'a' },
  { principal: 'a', substrate: 'open' },
  { tier: 'sov', substrate: 'open' },
  { identity_class: 'autonomous', substrate: 'open' },
];

export const changeMetadata = request(
  'metadata',
  { agent: place, change: { usual: 0, arbitrary: fc.nat(changes(protocol).length - 1) } },
  (player, { agent, change }) => {
    const body = changes(player.target.protocol)[change];
    return { request: { method: 'PATCH', path: '/agent/metadata', key: player.agent(agent).key, body } };
  },
);
