/** Judges passports (2.6): each shows the state of its agent at the time of the call, signed by the authority. */

import { groups } from '../../spec/clauses/groups.js';
import { DAY_MS, HOUR_MS } from '../../spec/time.js';
import { passportFields } from '../../spec/vocabulary.js';
import type { Case } from '../case.js';
import { unlessUnknown } from '../facts/earlier.js';
import { beatOf } from '../facts/rules.js';
import type { Agent } from '../facts/state.js';
import { publicKeyHexOf, signedText, verifies } from '../reading/signature.js';
import { at } from '../reading/values.js';

/** The largest difference between the server's clock and issued_at. */
const ISSUED_WITHIN_MS = 10_000;

type Route = 'heartbeat' | 'sigil' | 'reissue-proof' | 'passport';

/** Judges the passport of a reply, and records it. `route`: the call that returned it. */
export function judgePassport(given: Case, agent: Agent, route: Route): void {
  const { state, call, judgement } = given;
  const { json } = call;
  const passport = at(json, 'passport');
  if (typeof passport !== 'object' || passport === null) {
    const clause = route === 'passport' ? 'passport.purpose' : `${route}.reply.passport`;
    judgement.that('passport', false, 'a passport', passport, clause);
    return;
  }
  const field = (name: string): string => `passport.${name}`;
  const { protocol } = state.settings;
  judgement.equals(
    field('format_version'),
    protocol.passport.formatVersion,
    'passport.field.format-version',
    'versioning.passport.format',
  );
  judgement.equals(field('agent_hash'), agent.hash, 'passport.field.agent-hash');
  judgement.equals(
    field('identity_class'),
    agent.sigil?.identity_class ?? null,
    agent.sigil === null ? 'passport.identity-class.none' : 'passport.field.identity-class',
  );
  lasting(
    given,
    agent,
    'registered_at_beat',
    agent.registeredBeat,
    'passport.field.registered-at-beat',
    'clock.registered-at-beat',
  );
  judgement.equals(
    field('sigil_issued_at_beat'),
    agent.sigil === null ? null : agent.sigil.issued_at_beat,
    'passport.field.sigil-issued-at-beat',
    ...(agent.sigil === null ? [] : ['sigil.immutable']),
  );
  if (agent.lastBeat !== null)
    judgement.equals(
      field('last_heartbeat_beat'),
      agent.lastBeat,
      'passport.field.last-heartbeat-beat',
      ...(route === 'reissue-proof' ? ['reissue-proof.no-heartbeat'] : []),
    );
  if (route === 'heartbeat') judgement.equals(field('last_heartbeat_beat'), beatOf(state), 'clock.last-heartbeat-beat');
  unlessUnknown(() => judgeKey(given, agent));
  judgeTimes(given, agent, route === 'heartbeat' ? ['service.heartbeat.passport'] : []);
  const event = route === 'sigil' ? 'lineage.hash.sigil' : 'lineage.hash.heartbeat';
  judgeLineageHash(given, agent, 'passport.lineage_chain_hash', event);
  judgeSignature(given, agent);
  agent.passport = passport as Readonly<Record<string, unknown>>;
}

/** Judges a field that keeps its first shown value. `expected`: its value by a decision. */
function lasting(
  { call, judgement }: Case,
  agent: Agent,
  name: string,
  expected: unknown,
  clause: string,
  decision: string,
): void {
  const value = at(call.json, `passport.${name}`);
  if (name in agent.shown) judgement.equals(`passport.${name}`, agent.shown[name], clause);
  else agent.shown[name] = value;
  judgement.equals(`passport.${name}`, expected, decision);
}

/** 2.6: judges the key or address of the agent's wallet; null if it has no wallet. */
function judgeKey({ call, judgement }: Case, { wallet }: Agent): void {
  const path = 'passport.agent_public_key';
  const key = at(call.json, path);
  const keyHex = wallet?.publicKeyHex ?? publicKeyHexOf(wallet?.address ?? '');
  const known = wallet === null ? [] : [wallet.address, keyHex, `0x${keyHex}`].map((text) => text?.toLowerCase());
  const isOwn = wallet === null ? key === null : typeof key === 'string' && known.includes(key.toLowerCase());
  judgement.that(
    path,
    isOwn,
    wallet === null ? 'null' : 'the wallet of the agent',
    key,
    'passport.field.agent-public-key',
    ...(wallet === null ? ['passport.public-key.none'] : []),
  );
  if (wallet !== null && wallet.kind !== 'ethereum')
    judgement.equals(path, wallet.address, 'passport.public-key.solana');
}

function judgeTimes({ state, call, judgement }: Case, agent: Agent, clauses: readonly string[]): void {
  const [issued, until] = [at(call.json, 'passport.issued_at'), at(call.json, 'passport.valid_until')];
  if (typeof issued !== 'number') {
    judgement.that('passport.issued_at', false, 'a number', issued, 'passport.field.issued-at');
    return;
  }
  const { validityHours } = state.settings.protocol.passport;
  const due = issued + validityHours * HOUR_MS;
  judgement.same('passport.valid_until', until, due, ...groups.passportValidity, ...clauses);
  if (state.nowMs === undefined) return;
  const isNow = Math.abs(issued - state.nowMs) <= ISSUED_WITHIN_MS + state.slackMs;
  // A read may return the latest passport unchanged, or a new one.
  const isLatest = call.endpoint.id === 'passport' && issued === agent.passport?.['issued_at'];
  judgement.that('passport.issued_at', isNow || isLatest, state.nowMs, issued, 'passport.field.issued-at');
}

/** 2.6: the hash of the lineage chain changes with each lineage event, and only then. A decision lists the events. */
export function judgeLineageHash(
  { call, judgement }: Case,
  agent: Agent,
  path: string,
  event = 'lineage.hash.heartbeat',
): void {
  const hash = at(call.json, path);
  const { lineageShown: shown, lineageEvents: events, frozen } = agent;
  if (frozen === undefined) {
    // The freeze of the agent is an event that may or may not have happened.
    agent.lineageShown = null;
    return;
  }
  if (shown !== null) {
    const changed = shown.hash !== hash;
    const ofFreeze = frozen || agent.revived !== undefined ? 'lineage.hash.frozen' : event;
    const clause = events === shown.events ? 'lineage.hash.reissue' : ofFreeze;
    judgement.that(
      path,
      changed === (events !== shown.events),
      events === shown.events ? shown.hash : 'another hash',
      hash,
      clause,
    );
  }
  agent.lineageShown = { events, hash };
}

/** The text does not give the signed bytes. If one passport verifies over those of D-11, all others with the same filled fields must verify, too. */
function judgeSignature({ state, call, judgement }: Case, agent: Agent): void {
  const { keyHex, verified } = state.authority;
  if (keyHex === undefined) return;
  const { dialect } = state.settings;
  const passport = at(call.json, 'passport');
  const signature = String(at(passport, dialect.passportSignatureField));
  const holds = verifies(signature, signedText(passport), keyHex);
  judgement.that(
    'signature of a passport',
    holds,
    'by the authority key',
    'not over the bytes of D-11',
    'passport.bytes',
  );
  const filled = passportFields.filter((field) => at(passport, field) !== null);
  const shape = [agent.sigil === null ? 'without a SIGIL' : 'with one', ...filled].join(' ');
  if (holds && !verified.includes(shape)) state.authority.verified = [...verified, shape];
  if (holds || verified.includes(shape))
    judgement.that(
      'signature of a passport',
      holds,
      'as of other passports',
      'none that verifies',
      'passport.signed',
      'passport.field.service-signature',
      'auth.passport.offline',
    );
}

/** 2.6 and 9: `lineage_proof` equals the passport until the sunset of the alias. On the last day it may be missing. */
export function judgeAlias({ state, call, judgement }: Case, route: 'heartbeat' | 'reissue-proof'): void {
  const alias = at(call.json, 'lineage_proof');
  const { nowMs } = state;
  const { lineageProofUntilMs } = state.settings.protocol.passport;
  if (nowMs === undefined) return;
  const clauses = [`${route}.reply.lineage-proof`, 'versioning.lineage-proof'];
  if (Math.abs(nowMs - lineageProofUntilMs) < DAY_MS) judgement.leave('the day of the sunset', ...clauses);
  else if (nowMs > lineageProofUntilMs)
    judgement.that('lineage_proof', alias === undefined, 'nothing', alias, ...clauses);
  else {
    judgement.that('lineage_proof', alias !== undefined, 'a passport', alias, ...clauses);
    if (alias !== undefined) judgement.equals('lineage_proof', at(call.json, 'passport'), 'passport.alias.identical');
  }
}
