/**
 * Keeps web pages from calling servers on the user's own machine: the control API and the ledger. It recognizes only browsers;
 * other callers are kept out by a token.
 */

import type { IncomingMessage } from 'node:http';

/** The refusal of a call from a web page. */
interface WebPageRefusal {
  readonly code: 'HOST_REFUSED' | 'ORIGIN_REFUSED';
  readonly reason: string;
}

const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** Origins of pages that were served from this machine, and of extensions that the user has installed. */
const LOCAL_PAGE = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;
const EXTENSION = /^(chrome|moz|safari-web)-extension:\/\/[\w-]+$/i;

/** Whether an address can be reached only from this machine. */
export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127(\.\d{1,3}){3}$/.test(address);
}

/**
 * The refusal of a call from a foreign web page; undefined for any other call. The Origin of such a call differs from its Host. Or the server
 * listens on loopback (`loopback`) and the Host is not this machine: then a foreign name resolves to it (DNS rebinding). With `localPages`,
 * pages of this machine and extensions may call from any origin.
 */
export function refuseWebPage(
  { headers }: IncomingMessage,
  { loopback, localPages = false }: { readonly loopback: boolean; readonly localPages?: boolean },
): WebPageRefusal | undefined {
  const { host = '', origin } = headers;
  if (loopback && !LOCAL.test(host)) {
    return { code: 'HOST_REFUSED', reason: 'call this server by 127.0.0.1, [::1] or localhost' };
  }
  const isLocal = origin !== undefined && (LOCAL_PAGE.test(origin) || EXTENSION.test(origin));
  if (origin !== undefined && hostOf(origin) !== host.toLowerCase() && !(localPages && isLocal)) {
    return { code: 'ORIGIN_REFUSED', reason: 'web pages of other origins may not call this server' };
  }
  return undefined;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
