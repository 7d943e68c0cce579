import type { Command } from '../../store/journal.js';
import type { Host } from '../request/host.js';
import { controlCalls } from './calls.js';
import { ADVANCE } from './time.js';

/** Applies a recorded control call again, on a host whose time is that of the record: an advance is over by then. */
export function replayControl(host: Host, { name, at, body, given }: Command): void {
  const found = controlCalls.find(({ path, kind }) => kind === 'command' && `control:${path}` === name);
  if (found === undefined) throw new Error(`${name} is no command of this version`);
  if (found.path === ADVANCE) return;
  const outcome = found.run(host, body, { nowMs: at, params: given });
  if (outcome instanceof Promise) throw new Error(`${name} is recorded and does not act at once`);
  if (outcome.status !== 200) throw new Error(`${name} at ${at} was accepted once and is refused now`);
}
