import { catchUp } from '../../service.js';
import type { Command } from '../../store/journal.js';
import { replayControl } from '../control/replay.js';
import { replaySettle, SETTLE } from '../request/dispatch.js';
import { TICK } from '../request/global-time.js';
import type { Host } from '../request/host.js';
import { replayCall } from '../request/route.js';
import { RPC, replayRpc } from './ledger-rpc.js';
import { beatsRoutes, registryRoutes } from './routes.js';

const routes = new Map([...registryRoutes, ...beatsRoutes].map((route) => [route.endpoint.id, route]));

/**
 * Brings a host that has just been created to the state that commands lead to: each again, at its own time, through the
 * same handlers. Rules are deterministic, so the state is the same to the byte. Rate limits are not state: they start anew.
 */
export function replay(host: Host, commands: readonly Command[]): void {
  for (const command of commands) {
    catchUp(host.service, command.at);
    const route = routes.get(command.name);
    if (route !== undefined) replayCall(host, route, command);
    else if (command.name.startsWith(RPC)) replayRpc(host, command);
    else if (command.name === SETTLE) replaySettle(host, command);
    // A tick has no more to it than its time.
    else if (command.name !== TICK) replayControl(host, command);
  }
}
