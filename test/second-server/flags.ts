/** Complaints about an agent's identity class, by section 4.16. */

import { Refusal } from './refusal.js';
import type { Call, Reply } from './server.js';
import { CLASSES, type Flag, find, HOUR_MS, isHash, type World } from './world.js';

/** POST /agent/flag */
export function fileFlag(world: World, call: Call): Reply {
  world.limit('flag', call.ip);
  const reporter = world.agentOf(call.headers.authorization);
  const { target_hash: hash, asserted_class: asserted, reason } = call.body;
  const invalid = (what: string): Refusal => new Refusal(400, 'VALIDATION', what);
  if (!isHash(hash)) throw invalid('target_hash is an agent hash.');
  if (typeof asserted !== 'string' || !CLASSES.includes(asserted))
    throw invalid('asserted_class is an identity class.');
  const length = typeof reason === 'string' ? [...reason].length : 0;
  if (length < 1 || length > 2000) throw invalid('reason has 1 to 2000 characters.');
  const target = find(world, hash);
  if (target === reporter) throw new Refusal(400, 'FLAG_SELF', 'An agent does not flag itself.');
  if (reporter.sigil === null || reporter.sigil.tier === 'sbx') {
    throw new Refusal(403, 'FLAG_REPORTER_INELIGIBLE', 'The reporter needs a SIGIL that is no sandbox.');
  }
  if (target === undefined) throw new Refusal(404, 'FLAG_TARGET_NOT_FOUND', 'There is no such agent.');
  const pending = world.flags.filter((flag) => flag.status === 'pending');
  if (pending.some((flag) => flag.reporter === reporter && flag.target === target)) {
    throw new Refusal(409, 'FLAG_DUPLICATE', 'A flag of this reporter against that target is pending.');
  }
  if (pending.filter((flag) => flag.at > world.now - 24 * HOUR_MS).length > world.numbers.flag.breakerPendingMax) {
    throw new Refusal(429, 'RATE_LIMITED', 'Too many flags are pending.');
  }
  world.limit('flagTarget', target.hash);
  world.limit('flagReporter', reporter.hash);
  const digits = world.random(16);
  const id = digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
  const flag: Flag = { id, reporter, target, at: world.now, status: 'pending' };
  world.flags.push(flag);
  return {
    body: {
      flagged: true,
      flag_id: flag.id,
      status: 'pending',
      target_hash: target.hash,
      asserted_class: asserted,
      reason,
    },
  };
}
