/** Chooses the HTTP proxy for a URL, from the target file or from the environment. Connections through it are in connections.ts. */
import { BlockList, isIP } from 'node:net';
import { type Access, ownOrigins, proxyUrlOf } from '../target/access.js';
import { isLoopback } from '../target/target.js';

/** A proxy with an HTTP or HTTPS URL. */
export interface HttpProxy {
  readonly url: URL;
  /** Its name in messages, without user and password. */
  readonly name: string;
}

/** Chooses the proxy for a URL; undefined for none. Throws `TypeError` for a proxy of an unsupported kind. */
export type ProxyOf = (url: URL) => HttpProxy | undefined;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Chooses by HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in capitals or not. URLs of this machine use no proxy, since a proxy on another machine could not
 * reach them; they need no entry in NO_PROXY, as in Go and unlike in curl.
 */
export function proxyByEnvironment(env: Environment): ProxyOf {
  const of = (name: string): string => env[name.toLowerCase()] || env[name] || '';
  const exempt = exemptions(of('NO_PROXY'));
  return (url) => {
    const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
    const written = of(name);
    return written === '' || isLoopback(url.href) || exempt(url) ? undefined : proxyAt(written, name);
  };
}

/**
 * Chooses for a run against a target. The target's own URLs use the proxy of its file; those on this machine only if the registry is on this machine,
 * too. Other URLs use the proxy of the environment.
 */
export function proxyOfTarget(target: Access | undefined, env: Environment): ProxyOf {
  const byEnvironment = proxyByEnvironment(env);
  if (target?.proxy === undefined) return byEnvironment;
  const proxy = proxyAt(target.proxy, 'proxy');
  const own = ownOrigins(target);
  const isHere = isLoopback(target.baseUrl);
  return (url) => (own.has(url.origin) && (isHere || !isLoopback(url.href)) ? proxy : byEnvironment(url));
}

/** Reads the proxy of a setting. `place`: the name of the setting. Throws `TypeError` if the setting is invalid. */
function proxyAt(written: string, place: string): HttpProxy {
  const url = proxyUrlOf(written);
  if (typeof url === 'string') throw new TypeError(`${place} ${url}`);
  return { url, name: `the proxy ${url.host}` };
}

/** The header with the user and password of a proxy's URL. */
export function proxyAuthorization({ username, password }: URL): { readonly 'proxy-authorization'?: string } {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}

/** Makes the test whether NO_PROXY exempts a URL. It lists `*`, hosts, domains, addresses, and networks such as 10.0.0.0/8, with or without a port. */
function exemptions(written: string): (url: URL) => boolean {
  const entries = written
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
  return ({ hostname, port, protocol }) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    return entries.some((entry) => {
      if (entry === '*') return true;
      if (entry.includes('/')) return isWithin(host, entry);
      const [, name = '', ofPort] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
      if (ofPort !== undefined && ofPort !== (port || (protocol === 'https:' ? '443' : '80'))) return false;
      const domain = name.replace(/^\*?\./, '');
      return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
    });
  };
}

function isWithin(host: string, network: string): boolean {
  const [address = '', bits = ''] = network.split('/');
  const [family, length] = [isIP(address), Number(bits)];
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits) || length > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const name = family === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(address, length, name);
  return list.check(host, name);
}
