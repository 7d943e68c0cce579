/**
 * Keeps web pages from calling what stands on a user's own machine: the control API and the ledger. Who may call otherwise
 * is for a token to say.
 */

import type { IncomingMessage } from 'node:http';

/** Why a call is refused. */
export interface StrayCall {
  readonly code: 'HOST_REFUSED' | 'ORIGIN_REFUSED';
  readonly reason: string;
}

const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** Whether an address is reached from this machine alone. */
export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127(\.\d{1,3}){3}$/.test(address);
}

/**
 * The reason why a call can only come from a web page: its Host names another machine than this one, so that a name was
 * pointed here (`loopback`: the server is reached from this machine alone), or its Origin is not that of its Host. Undefined
 * for any other call.
 */
export function strayCall(
  { headers }: IncomingMessage,
  { loopback }: { readonly loopback: boolean },
): StrayCall | undefined {
  const { host = '', origin } = headers;
  if (loopback && !LOCAL.test(host)) {
    return { code: 'HOST_REFUSED', reason: 'call this server by 127.0.0.1, [::1] or localhost' };
  }
  if (origin !== undefined && hostOf(origin) !== host.toLowerCase()) {
    return { code: 'ORIGIN_REFUSED', reason: 'web pages of other origins may not call this server' };
  }
  return undefined;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
