/**
 * The calls of the control API, by their paths in `capabilities`, with their methods. Bodies, replies and refusals are in
 * reference/http/control.
 */

/** The method of each call. */
const methods = {
  capabilities: 'GET',
  'clock/advance': 'POST',
  'anchors/stall': 'POST',
  'ledger/wallets': 'POST',
  'ledger/transfers': 'POST',
  'agents/:hash/revoke-key': 'POST',
  'admin-keys': 'POST',
  'admin-keys/expire': 'POST',
  partners: 'POST',
  'partner-keys/expire': 'POST',
  'partners/:ref/suspend': 'POST',
  'flags/:id/review': 'POST',
  fees: 'PUT',
  'webhooks/flush': 'POST',
  fingerprint: 'GET',
  reset: 'POST',
} as const;

/** The path of a call, with the names of its parameters: `agents/:hash/revoke-key`. */
export type ControlPath = keyof typeof methods;

/** Every call. */
export const controlPaths = Object.keys(methods) as readonly ControlPath[];

const patterns = controlPaths.map(
  (path) => [new RegExp(`^${methods[path]} ${path.replaceAll(/:\w+/g, '[^/]+')}$`), path] as const,
);

/** The call of a request, `POST agents/0x12/revoke-key`; undefined for any other request. */
export function controlPathOf(request: string): ControlPath | undefined {
  return patterns.find(([pattern]) => pattern.test(request))?.[1];
}

/** A call with its method, `POST agents/:hash/revoke-key`; any other text stays as it is. */
export function controlCallName(path: string): string {
  return path in methods ? `${methods[path as ControlPath]} ${path}` : path;
}
