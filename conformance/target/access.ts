/** The settings for reaching a target: headers for a gateway, a proxy, and certificate authorities. It opens no connection. */
import { X509Certificate } from 'node:crypto';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';

/** The settings of a target that determine how requests reach it. */
export interface Access {
  readonly baseUrl: string;
  readonly beatsUrl: string | null;
  readonly control?: { readonly url: string } | undefined;
  /** Headers of every request to the target's own URLs; a request's own header of that name replaces them. Names are in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The URL of an HTTP proxy for the target's own URLs; by default that of the environment. */
  readonly proxy?: string | undefined;
  /** Certificates (PEM) of trusted authorities, in addition to those of Node. */
  readonly ca?: string | undefined;
}

/** The origins of a target: of its registry, its beats service and its control API. */
export function ownOrigins({ baseUrl, beatsUrl, control }: Access): ReadonlySet<string> {
  const urls = [baseUrl, beatsUrl ?? undefined, control?.url];
  return new Set(urls.flatMap((url) => (url === undefined ? [] : [new URL(url).origin])));
}

/** Adds the headers of the target file to a request to the target. Requests to other origins, such as a ledger, are not changed. */
export function withOwnHeaders(
  access: Access,
): (url: string, headers: Readonly<Record<string, string>>) => Readonly<Record<string, string>> {
  const { headers: own } = access;
  if (own === undefined) return (_, headers) => headers;
  const origins = ownOrigins(access);
  return (url, headers) => (origins.has(new URL(url).origin) ? { ...own, ...headers } : headers);
}

const BY_HTTP = 'the suite makes the connection itself';
const BY_CHECKS = 'checks send it, or leave it out on purpose';
/** Headers that a target file may not set, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'host content-length transfer-encoding connection keep-alive proxy-connection upgrade te trailer expect'
      .split(' ')
      .map((name) => [name, BY_HTTP]),
  ),
  'content-type': BY_CHECKS,
  'x-registration-token': BY_CHECKS,
  'x-registration-secret': 'use registration_secret',
  'x-forwarded-for': 'use client_ip',
};

/** The headers of a target file: values by `text`, names in lower case. */
export function headersSchema(text: z.ZodType<string>) {
  return z.record(z.string(), text).transform((written, context) => {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(written)) {
      const lower = name.toLowerCase();
      const message = faultOf(name, value) ?? (lower in headers ? 'is given twice' : undefined);
      if (message === undefined) headers[lower] = value;
      else context.addIssue({ code: 'custom', path: [name], message });
    }
    return headers;
  });
}

function faultOf(name: string, value: string): string | undefined {
  const refused = Object.hasOwn(REFUSED, name.toLowerCase()) ? REFUSED[name.toLowerCase()] : undefined;
  if (refused !== undefined) return `cannot be set: ${refused}`;
  if (!isValid(() => validateHeaderName(name))) return 'must be the name of a header, such as x-gateway-key';
  return isHeaderValue(value) ? undefined : ONE_LINE;
}

/** The message for a text that cannot be sent in a header. */
export const ONE_LINE = 'must be one line of printable characters, without spaces at its ends';

/** Whether a text can be sent in a header unchanged; spaces at its ends would be lost. */
export function isHeaderValue(text: string): boolean {
  return text.trim() === text && isValid(() => validateHeaderValue('authorization', text));
}

function isValid(validate: () => void): boolean {
  try {
    validate();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Parses the URL of a proxy, which may lack the scheme. Returns a message if it is invalid. */
export function proxyUrlOf(written: string): URL | string {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`;
  if (!URL.canParse(full)) return 'must be the URL of an HTTP proxy, such as http://127.0.0.1:3128';
  const url = new URL(full);
  if (!/^https?:$/.test(url.protocol)) return `must be the URL of an HTTP proxy: ${url.protocol}// is not supported`;
  return isValidPair(url) ? url : 'must have a percent-encoded user and password';
}

function isValidPair({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

/** The reason why a text holds no valid certificates; undefined if it does. */
export function certificateFault(pem: string): string | undefined {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  if (certificates === null) return 'holds no certificate in the form of PEM (-----BEGIN CERTIFICATE-----)';
  try {
    for (const each of certificates) new X509Certificate(each);
    return undefined;
  } catch (error) {
    return `holds a certificate that cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Headers that never hold a secret. */
const PLAIN = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'from',
  'pragma',
  'user-agent',
]);

/** The secrets in headers and proxy of a target, by shell variable. */
export function accessSecrets({ headers = {}, proxy }: Access): Readonly<Record<string, string>> {
  const secrets = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (PLAIN.has(name)) return [];
    const variable = `HEADER_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
    const [, scheme, credentials = ''] = /^(Basic|Bearer)\s+(\S+)$/i.exec(value) ?? [];
    if (scheme === undefined) return [[variable, value]];
    // A server may repeat the credentials with the scheme, without it, or decoded.
    const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(credentials, 'base64').toString('utf8') : '';
    const password = pair.slice(pair.indexOf(':') + 1);
    return [
      [variable, credentials],
      ...(password === '' ? [] : [[`${variable}_PASSWORD`, password] as [string, string]]),
    ];
  });
  const url = proxy === undefined ? '' : proxyUrlOf(proxy);
  if (typeof url !== 'string' && url.password !== '')
    secrets.push(['PROXY_PASSWORD', decodeURIComponent(url.password)]);
  return Object.fromEntries(secrets);
}
