/**
 * Rebuilds the state of a host from its journal, through the same handlers that served the requests. The file itself is
 * read by store/open-store.ts.
 */

import { catchUp } from '../../service.js';
import type { Command } from '../../store/command.js';
import { replayControl } from '../control/replay.js';
import { ANCHOR_MEMO, replayAnchorMemo } from '../request/anchor-memos.js';
import { replaySettle, SETTLE } from '../request/dispatch.js';
import { TICK } from '../request/global-time.js';
import type { Host } from '../request/host.js';
import { replayCall } from '../request/route.js';
import { RPC, replayRpc } from './ledger-rpc.js';
import { beatsRoutes, clientRoutes, registryRoutes } from './routes.js';

const routes = new Map([...registryRoutes, ...clientRoutes, ...beatsRoutes].map((route) => [route.endpoint.id, route]));

/**
 * Applies a command of the journal at its own time. A new host that is given all of them, in order, comes to the same
 * state byte for byte: rules are deterministic. Rate limits are not state: they start empty.
 */
export function replay(host: Host, command: Command): void {
  catchUp(host.service, command.at);
  const route = routes.get(command.name);
  if (route !== undefined) replayCall(host, route, command);
  else if (command.name.startsWith(RPC)) replayRpc(host, command);
  else if (command.name === SETTLE) replaySettle(host, command);
  else if (command.name === ANCHOR_MEMO) replayAnchorMemo(host, command);
  // A tick records only its time, which has been applied above.
  else if (command.name !== TICK) replayControl(host, command);
}
