/** Lint: caps, tiers, limits and codes that cannot be reached, by the other numbers and by the tables of states. */

import { z } from 'zod';
import { groups } from '../clauses/groups.js';
import { dialects } from '../dialect.js';
import type { Endpoint } from '../endpoint.js';
import { classesOf } from '../parts.js';
import type { Protocol } from '../protocol.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { capClause, capOf, countOf, epochAnchors, heartbeatsPossible, intervalAnchors, shown } from './quantities.js';
import { eitherOf, setTo } from './remedy.js';

function caps({ protocol }: LintFacts): Finding[] {
  const possible = heartbeatsPossible(protocol);
  const { epochBeats, intervalBeatsMin } = protocol.heartbeat;
  const most = `${shown(epochBeats)} beats / ${shown(intervalBeatsMin)} = ${countOf(possible, 'heartbeat')} an epoch`;
  const remedy = possible > 1 ? `a cap below ${shown(possible)}, or a shorter interval` : 'a shorter interval';
  const ofClasses = classesOf(protocol)
    .filter((each) => capOf(protocol, each) >= possible)
    .map(
      (each): Finding => ({
        id: `unreachable/cap-${each.replaceAll('_', '-')}`,
        severity: 'warning',
        clauses: [capClause(each), 'heartbeat.interval.min', 'heartbeat.error.volume-cap-reached'],
        arithmetic: `${most}, and the cap is ${shown(capOf(protocol, each))}: it refuses nothing`,
        harm: capOf(protocol, each) / possible,
        remedy,
      }),
    );
  const { heartbeatsEpochMax } = protocol.sponsor;
  const sent = Math.max(...classesOf(protocol).map((each) => Math.min(capOf(protocol, each), possible)));
  if (heartbeatsEpochMax < sent) return ofClasses;
  const ofSponsor: Finding = {
    id: 'unreachable/sponsor-cap',
    severity: 'note',
    clauses: ['sponsor.post.body.max-heartbeats-epoch', 'heartbeat.error.sponsor-cap-reached'],
    arithmetic: `${sent < possible ? `no class sends more than ${shown(sent)} heartbeats an epoch` : most}, and a sponsorship may have up to ${shown(heartbeatsEpochMax)}: one with that many refuses nothing`,
    harm: heartbeatsEpochMax / sent,
    remedy: eitherOf(setTo('sponsor.heartbeatsEpochMax', 'below', sent), 'a higher cap'),
  };
  return [...ofClasses, ofSponsor];
}

/** The most heartbeats that each class can send in an epoch, by its cap, the interval and the windows of the rate limit. */
function sentByClass(protocol: Protocol): readonly { readonly name: string; readonly most: number }[] {
  const { count, windowSec } = protocol.limits.heartbeat;
  const windows = Math.floor((epochAnchors(protocol) * protocol.anchor.intervalSec) / windowSec) + 1;
  const room = Math.min(heartbeatsPossible(protocol), windows * count);
  return classesOf(protocol).map((name) => ({ name, most: Math.min(capOf(protocol, name), room) }));
}

function tiers({ protocol }: LintFacts): Finding[] {
  const { tier1HeartbeatsMax, tier2HeartbeatsMax, tier1FeeLamports, tier2FeeLamports, tier3FeeLamports } =
    protocol.heartbeat;
  const sent = sentByClass(protocol);
  const most = Math.max(...sent.map((each) => each.most));
  return [
    { tier: 2, after: tier1HeartbeatsMax, isOwnPrice: tier2FeeLamports !== tier1FeeLamports },
    { tier: 3, after: tier2HeartbeatsMax, isOwnPrice: tier3FeeLamports !== tier2FeeLamports },
  ].flatMap(({ tier, after, isOwnPrice }): Finding[] => {
    const begins = `tier ${tier} begins at heartbeat ${shown(after + 1)} of an epoch`;
    const ofClasses = sent
      .filter((each) => each.most <= after)
      .map(
        ({ name, most: own }): Finding => ({
          id: `unreachable/tier-${tier}-${name.replaceAll('_', '-')}`,
          severity: 'warning',
          clauses: [`fee.heartbeat.tier-${tier}`, capClause(name)],
          arithmetic: `${begins}, and ${name} sends ${shown(own)} at most`,
          harm: after / own,
          remedy: 'a higher cap, or a lower threshold of the tier',
        }),
      );
    // A tier that costs what the one before does is the same tier; without any heartbeat there is more to say than this.
    if (most > after || most === 0 || !isOwnPrice) return ofClasses;
    const ofAll: Finding = {
      id: `unreachable/tier-${tier}`,
      severity: 'error',
      clauses: [`fee.heartbeat.tier-${tier}`, 'service.class.cap'],
      arithmetic: `${begins}, and no class sends more than ${shown(most)}: nobody ever pays its fee`,
      harm: after / most,
      remedy: eitherOf(
        setTo(`heartbeat.tier${tier - 1}HeartbeatsMax`, 'below', most),
        'higher caps, or more heartbeats in an epoch',
      ),
    };
    return [ofAll, ...ofClasses];
  });
}

/** Caps, tiers and sponsorships count the heartbeats of an epoch. */
function epochs({ protocol }: LintFacts): Finding[] {
  const { epochBeats, intervalBeatsMin } = protocol.heartbeat;
  const { beatsPerAnchor } = protocol.anchor;
  const step = Math.max(1, intervalAnchors(protocol)) * beatsPerAnchor;
  if (intervalBeatsMin === 0 || epochBeats > step) return [];
  return [
    {
      id: 'unreachable/epoch',
      severity: 'error',
      clauses: [...groups.epoch, 'heartbeat.interval.min'],
      arithmetic: `an epoch is ${shown(epochBeats)} beats, and the next heartbeat may come ${shown(step)} beats after the last (an interval of ${shown(intervalBeatsMin)}, ${shown(beatsPerAnchor)} an anchor): no cap, tier or sponsorship counts a second one`,
      harm: step / epochBeats,
      remedy: eitherOf(setTo('heartbeat.epochBeats', 'of at least', 2 * step), 'a shorter interval'),
    },
  ];
}

/** By section 3.4 the case of the code cannot occur: a sponsorship that is active while its parent is frozen. */
function frozenSponsor({ moves, errors, protocol }: LintFacts): Finding[] {
  const revokedByFreeze = moves.some(
    ({ subject, from, to, trigger }) =>
      subject === 'sponsorship' && from === 'active' && to !== 'active' && trigger.includes('freezes the parent'),
  );
  if (!revokedByFreeze || errors['heartbeat/SPONSOR_PARENT_FROZEN'] === undefined) return [];
  return [
    {
      id: 'unreachable/sponsor-parent-frozen',
      severity: 'error',
      clauses: ['heartbeat.error.sponsor-parent-frozen', 'sponsor.transition.frozen.parent'],
      arithmetic: `the anchor after ${shown(protocol.dms.missedAnchorsMax)} missed ones freezes a parent and revokes its sponsorships at once: 0 moments have a frozen parent and an active sponsorship`,
      harm: 1,
      remedy:
        'suspend the sponsorships of a frozen parent in place of revoking them, or drop the code (D-29 keeps both)',
    },
  ];
}

const naming = new WeakMap<Endpoint, boolean>();

/** Whether a call names an agent other than by its key. Numbers change no name of a field, so each endpoint is asked once. */
function namesAgent(endpoint: Endpoint, { protocol }: LintFacts): boolean {
  const { body, path } = endpoint;
  if (path.includes(':hash')) return true;
  if (body === null) return false;
  const known = naming.get(endpoint);
  if (known !== undefined) return known;
  const schema = z.toJSONSchema(body({ protocol, dialect: dialects.service }), { io: 'input', unrepresentable: 'any' });
  const names = /_hash"|"parent"/.test(JSON.stringify(schema));
  naming.set(endpoint, names);
  return names;
}

/** A key is bound to one agent, and no move takes an agent away: its own call cannot find it missing. */
function missingAgents(facts: LintFacts): Finding[] {
  if (facts.moves.some(({ subject, to }) => subject === 'agent' && to === 'removed')) return [];
  return facts.endpoints
    .filter(({ auth, stem }) => auth === 'agent' && facts.errors[`${stem}/AGENT_NOT_FOUND`]?.source === 'spec')
    .filter(({ stem }) => !facts.endpoints.some((other) => other.stem === stem && namesAgent(other, facts)))
    .filter(({ stem }, at, all) => all.findIndex((other) => other.stem === stem) === at)
    .map(
      ({ stem }): Finding => ({
        id: `unreachable/${stem}-agent-not-found`,
        severity: 'note',
        clauses: [`${stem}.error.agent-not-found`],
        arithmetic: `the call names no agent but by its key, and of ${facts.moves.filter(({ subject }) => subject === 'agent').length} moves of an agent none removes it`,
        harm: 1,
        remedy: 'drop the row, or say how an agent goes away',
      }),
    );
}

/** Where a token goes before each call, the rarer of the two is the limit. */
function tokens({ protocol }: LintFacts): Finding[] {
  const { register, registerToken } = protocol.limits;
  const byToken = registerToken.count / registerToken.windowSec;
  if (byToken >= register.count / register.windowSec) return [];
  return [
    {
      id: 'unreachable/register-by-token',
      severity: 'note',
      clauses: ['limit.register', 'limit.register-token.ip', 'register-token.use.once'],
      arithmetic: `a token makes one agent: ${shown(registerToken.count)} in ${shown(registerToken.windowSec)} s, so that an address without the secret never comes to ${shown(register.count)} in ${shown(register.windowSec)} s`,
      harm: register.count / register.windowSec / byToken,
      remedy: 'the same limit for tokens as for registrations',
    },
  ];
}

export const unreachable: LintRule = {
  kind: 'unreachable',
  says: 'A cap, tier, limit or code that nothing can reach.',
  find: (facts) => [
    ...caps(facts),
    ...tiers(facts),
    ...epochs(facts),
    ...frozenSponsor(facts),
    ...missingAgents(facts),
    ...tokens(facts),
  ],
};
