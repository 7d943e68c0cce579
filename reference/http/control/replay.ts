/** Replays control calls from the journal. Other commands are replayed by server/replay.ts. */

import type { Command } from '../../store/command.js';
import type { Host } from '../request/host.js';
import { controlCalls } from './calls.js';
import { ADVANCE } from './time.js';

/**
 * Applies a recorded control call again. The host's time is already that of the record, so an advance has nothing left
 * to do.
 */
export function replayControl(host: Host, { name, at, body, given }: Command): void {
  if (name === `control:${ADVANCE}`) return;
  const found = controlCalls.find(({ path, kind }) => kind === 'command' && `control:${path}` === name);
  if (found === undefined) throw new Error(`${name} is no command of this version`);
  const outcome = found.run(host, body, { nowMs: at, params: given });
  if (outcome instanceof Promise) throw new Error(`${name} is recorded and does not act at once`);
  if (outcome.status !== 200) throw new Error(`${name} at ${at} was accepted once and is refused now`);
}
