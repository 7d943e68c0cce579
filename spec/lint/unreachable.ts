/** Lint: caps, tiers, limits and codes that nothing can reach, by the other numbers and by the tables of states. */

import { z } from 'zod';
import { dialects } from '../dialect.js';
import type { Endpoint } from '../endpoint.js';
import { classesOf } from '../parts.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { capClause, capOf, heartbeatsPossible, shown } from './quantities.js';

function caps({ protocol }: LintFacts): Finding[] {
  const possible = heartbeatsPossible(protocol);
  const { epochBeats, intervalBeatsMin } = protocol.heartbeat;
  const most = `${shown(epochBeats)} beats / ${shown(intervalBeatsMin)} = ${shown(possible)} heartbeats an epoch`;
  const remedy = `a cap below ${shown(possible)}, or a shorter interval`;
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
    remedy: `sponsor.heartbeatsEpochMax below ${shown(sent)}`,
  };
  return [...ofClasses, ofSponsor];
}

function tiers({ protocol }: LintFacts): Finding[] {
  const { tier1HeartbeatsMax, tier2HeartbeatsMax } = protocol.heartbeat;
  const possible = heartbeatsPossible(protocol);
  return classesOf(protocol).flatMap((each) => {
    const most = Math.min(capOf(protocol, each), possible);
    const unreached = [most <= tier1HeartbeatsMax ? 2 : 0, most <= tier2HeartbeatsMax ? 3 : 0].filter(Boolean);
    return unreached.map(
      (tier): Finding => ({
        id: `unreachable/tier-${tier}-${each.replaceAll('_', '-')}`,
        severity: 'warning',
        clauses: [`fee.heartbeat.tier-${tier}`, capClause(each)],
        arithmetic: `tier ${tier} begins at heartbeat ${shown((tier === 2 ? tier1HeartbeatsMax : tier2HeartbeatsMax) + 1)} of an epoch, and ${each} sends ${shown(most)} at most`,
        harm: (tier === 2 ? tier1HeartbeatsMax : tier2HeartbeatsMax) / most,
        remedy: 'a higher cap, or a lower threshold of the tier',
      }),
    );
  });
}

/** Section 3.4 takes away what the code would answer to: a sponsorship that is active while its parent is frozen. */
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

/** Whether a call names an agent other than by its key. */
function namesAgent({ body, path }: Endpoint, facts: LintFacts): boolean {
  if (path.includes(':hash')) return true;
  if (body === null) return false;
  const schema = z.toJSONSchema(body({ protocol: facts.protocol, dialect: dialects.service }), {
    io: 'input',
    unrepresentable: 'any',
  });
  return /_hash"|"parent"/.test(JSON.stringify(schema));
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
    ...frozenSponsor(facts),
    ...missingAgents(facts),
    ...tokens(facts),
  ],
};
