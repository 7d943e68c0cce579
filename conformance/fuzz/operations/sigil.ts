/** POST /sigil (4.6) and PATCH /agent/metadata, which needs a SIGIL (4.11). */

import * as fc from 'fast-check';
import { addedClasses, classesOf, sigilTiersOf } from '../../../spec/parts.js';
import { type Protocol, protocol } from '../../../spec/protocol.js';
import { at } from '../../assertions/reply.js';
import { equals, type Fault, isNumber, isText, settle, that } from '../expectation.js';
import { mostly, type Operation, place, request } from '../operation.js';
import { type AgentState, book, feeOf, type State } from '../state.js';
import { keyFault } from './init.js';
import { checkPayment, judgeFee, judgePassport, type Paying, paid, paying, walletFault } from './paid.js';

export interface Buying extends Paying {
  readonly agent: number;
  /** `added`: the first class that a change adds, where it adds one. */
  readonly identityClass: string;
  readonly tier: string;
  readonly principal: 'word' | 'upper' | 'long' | 'longest' | 'hyphen';
  readonly name: 'auto' | 'absent' | 'word';
  readonly omit: 'nothing' | 'identity_class' | 'principal' | 'tier';
}

/** The price of a class. */
export function sigilPrice({ protocol }: State, identityClass: string): number {
  const added = addedClasses(protocol).find(({ name }) => name === identityClass);
  if (added !== undefined) return added.feeLamports;
  const { narrowTaskFeeLamports, autonomousFeeLamports, orchestratorFeeLamports } = protocol.sigil;
  if (identityClass === 'autonomous') return autonomousFeeLamports;
  return identityClass === 'orchestrator' ? orchestratorFeeLamports : narrowTaskFeeLamports;
}

/** POST /sigil */
export const buySigil: Operation = request<Buying>(
  'sigil',
  {
    agent: place,
    identityClass: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('narrow_task', 'autonomous', 'orchestrator') },
      { weight: 1, arbitrary: fc.constant('worker') },
      { weight: 1, arbitrary: fc.constant('added') },
    ),
    tier: mostly('sov', 'org', 'ind', 'eph', 'sbx', 'gov'),
    principal: mostly('word', 'upper', 'long', 'longest', 'hyphen'),
    name: fc.constantFrom('auto', 'absent', 'word'),
    omit: mostly('nothing', 'identity_class', 'principal', 'tier'),
    ...paying,
  },
  async (player, action) => {
    const { tier } = action;
    const [added] = addedClasses(player.state.protocol);
    const identityClass = action.identityClass === 'added' ? (added?.name ?? 'narrow_task') : action.identityClass;
    const index = action.agent % player.state.agents.length;
    const agent = player.agent(index);
    const fee = feeOf(player.state, index, 'sigil', sigilPrice(player.state, identityClass));
    const tx = await paid(player, index, fee, action);
    const longest = `a${player.draws.hex(player.state.protocol.sigil.principalCharsMax)}`.slice(
      0,
      player.state.protocol.sigil.principalCharsMax,
    );
    const principal = {
      word: `p${player.draws.hex(6)}`,
      upper: `P${player.draws.hex(6)}`,
      long: `${longest}c`,
      longest,
      hyphen: '-a',
    }[action.principal];
    const name = action.name === 'word' ? player.draws.word() : action.name === 'auto' ? 'auto' : undefined;
    const whole = { identity_class: identityClass, principal, tier, name, payment_tx: tx };
    const body = action.omit === 'nothing' ? whole : { ...whole, [action.omit]: undefined };
    return {
      request: { method: 'POST', path: '/sigil', key: agent.key, body },
      judge: (state, answer) => {
        const own = state.agents[index];
        if (own === undefined) return;
        const { faults, payment } = checkPayment(state, tx, fee);
        const invalid: Fault = { why: 'a parameter is invalid', status: 400, code: 'VALIDATION' };
        const lacks = action.omit !== 'nothing';
        const wrong =
          lacks ||
          !classesOf(state.protocol).includes(identityClass) ||
          !sigilTiersOf(state.protocol).includes(tier) ||
          !/^[a-z0-9][a-z0-9-]*$/.test(principal) ||
          principal.length > state.protocol.sigil.principalCharsMax;
        const expected = {
          faults: [
            ...keyFault(own),
            ...walletFault(state, own),
            ...faults,
            ...(wrong ? [invalid] : []),
            ...(tx === undefined ? [{ why: 'payment_tx is missing', status: 400 }] : []),
            ...(own.sigil === null ? [] : [{ why: 'there is a SIGIL', status: 409, code: 'SIGIL_ALREADY_EXISTS' }]),
          ],
          open: [
            ...(own.frozen || own.chain === null ? ['the agent is not active'] : []),
            ...(payment !== undefined && payment.from !== own.wallet?.address ? ['somebody else pays'] : []),
            ...(payment?.usedFor == null ? [] : ['the payment is used']),
          ],
          counted: [[`sigil ${index}`, state.protocol.limits.sigil]] as const,
        };
        if (!settle(state, answer, expected) || tx === undefined) return;
        equals(answer, 'ok', true);
        equals(answer, 'sigil.principal', principal);
        equals(answer, 'sigil.tier', tier);
        equals(answer, 'sigil.identity_class', identityClass);
        that(answer, 'sigil.sigil_name', 'a text', isText);
        if (action.name === 'word') equals(answer, 'sigil.sigil_name', name);
        equals(answer, 'sigil.sigil', `${String(at(answer.json, 'sigil.sigil_name'))}*${principal}*${tier}`);
        equals(answer, 'sigil.issued_at_beat', state.anchor);
        that(answer, 'sigil.birth_tx', 'a text', isText);
        that(answer, 'sigil.explorer_url', 'a text', isText);
        judgeFee(answer, fee, tx);
        const text = String(at(answer.json, 'sigil.sigil'));
        own.sigil = {
          identityClass,
          tier,
          text,
          beat: state.anchor,
          name: String(at(answer.json, 'sigil.sigil_name')),
          principal,
        };
        if (payment !== undefined) payment.usedFor = 'sigil';
        book(state, 'sigil', fee);
        judgePassport(state, answer, own);
      },
    };
  },
);

type Change = readonly [body: Readonly<Record<string, unknown>>, takes: boolean];

/** Bodies of a change under the numbers of a service, and whether the text takes them. */
const changes = ({ metadata }: Protocol): readonly Change[] => [
  [{ substrate: 'local', substrate_provider: 'custom' }, true],
  [{ substrate_model: 'x'.repeat(metadata.textCharsMax), capability: 'witness' }, true],
  [{ tools: Array.from({ length: metadata.toolsMax }, () => 'x'.repeat(metadata.toolCharsMax)) }, true],
  [{ protocol: 'a2a', compliance_regime: 'none', modality_input: ['text'], modality_output: ['text'] }, true],
  [{ generation_trigger: 'retrained' }, true],
  [{ generation_trigger: 'again', capability_scope: 'all' }, true],
  [{ endpoint: 'https://agent.example/a2a' }, true],
  [{ substrate: 'cloud' }, false],
  [{ capability: 'writer' }, false],
  [{ substrate_model: 'x'.repeat(metadata.textCharsMax + 1) }, false],
  [{ capability_scope: 'x'.repeat(metadata.textCharsMax + 1) }, false],
  [{ endpoint: `https://agent.example/${'x'.repeat(metadata.textCharsMax)}` }, false],
  [{ generation_trigger: 'x'.repeat(metadata.textCharsMax + 1) }, false],
  [{ tools: Array.from({ length: metadata.toolsMax + 1 }, () => 'x') }, false],
  [{ tools: ['x'.repeat(metadata.toolCharsMax + 1)] }, false],
  [{ protocol: 'ftp' }, false],
  [{ compliance_regime: 'ccpa' }, false],
  [{ substrate_provider: 'Custom' }, false],
  [{ modality_input: 'text' }, false],
  [{}, false],
  [{ sigil: 'a*b*sov', substrate: 'open' }, false],
  [{ sigil_name: 'a' }, false],
  [{ principal: 'a', substrate: 'open' }, false],
  [{ tier: 'sov', substrate: 'open' }, false],
  [{ identity_class: 'autonomous', substrate: 'open' }, false],
];

/** PATCH /agent/metadata */
export const changeMetadata: Operation = request<{ readonly agent: number; readonly change: number }>(
  'metadata',
  { agent: place, change: fc.nat(changes(protocol).length - 1) },
  (player, action) => {
    const index = action.agent % player.state.agents.length;
    const [body, takes] = changes(player.state.protocol)[action.change] ?? [{}, false];
    return {
      request: { method: 'PATCH', path: '/agent/metadata', key: player.agent(index).key, body },
      judge: (state, answer) => {
        const agent = state.agents[index] as AgentState;
        const expected = {
          faults: [
            ...keyFault(agent),
            ...(agent.sigil === null ? [{ why: 'there is no SIGIL', status: 403 }] : []),
            ...(takes ? [] : [{ why: 'a field or value is not taken', status: 400 }]),
          ],
          open: agent.frozen ? ['the agent is frozen'] : [],
          counted: [[`metadata ${index}`, state.protocol.limits.metadata]] as const,
        };
        if (!settle(state, answer, expected)) return;
        equals(answer, 'ok', true);
        equals(answer, 'sigil', agent.sigil?.text);
        that(answer, 'generation', 'a number', isNumber);
        const generation = Number(at(answer.json, 'generation'));
        const more = 'generation_trigger' in body ? 1 : 0;
        if (agent.generation !== null) equals(answer, 'generation', agent.generation + more);
        agent.generation = generation;
        Object.assign(agent.fields, body);
        that(
          answer,
          'updated_fields',
          'the fields that were sent',
          (value) => Array.isArray(value) && [...value].sort().join() === Object.keys(body).sort().join(),
        );
      },
    };
  },
);
