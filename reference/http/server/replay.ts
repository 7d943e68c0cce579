/**
 * Rebuilds the state of a host from its journal, through the same handlers that served the requests. The file itself is
 * read by store/journal.ts.
 */

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
 * Brings a new host to the state that the commands lead to, by applying each at its own time. Rules are deterministic,
 * so the state is the same byte for byte. Rate limits are not state: they start empty.
 */
export function replay(host: Host, commands: readonly Command[]): void {
  for (const command of commands) {
    catchUp(host.service, command.at);
    const route = routes.get(command.name);
    if (route !== undefined) replayCall(host, route, command);
    else if (command.name.startsWith(RPC)) replayRpc(host, command);
    else if (command.name === SETTLE) replaySettle(host, command);
    // A tick records only its time, which has been applied above.
    else if (command.name !== TICK) replayControl(host, command);
  }
}
