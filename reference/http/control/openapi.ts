/**
 * The OpenAPI document of the control API, derived from the declarations of its calls. The document of the public API
 * is in spec/openapi.ts.
 */

import { z } from 'zod';
import { CONTROL_PATH } from '../../../spec/endpoint.js';
import { type OpenApiDocument, openApiDocument } from '../../../spec/openapi.js';
import type { ControlCall } from './call.js';

/** Refusals of any call with a body. */
export const BODY_REFUSALS: ControlCall['refusals'] = [
  [400, 'INVALID_JSON'],
  [400, 'VALIDATION'],
  [413, 'BODY_TOO_LARGE'],
  [415, 'CONTENT_TYPE_REQUIRED'],
];
/** The refusal of a call without the control token. */
export const NO_TOKEN = [401, 'AUTH_MISSING'] as const;
/** The refusal of any call after the disk has failed. */
export const NO_STORE = [503, 'STORE_UNAVAILABLE'] as const;
/** The refusals of calls that can only come from a web page. */
export const STRAY: ControlCall['refusals'] = [
  [403, 'HOST_REFUSED'],
  [403, 'ORIGIN_REFUSED'],
];
/** The reply of `capabilities`, which lists the calls and is not one of them. */
export const capabilitiesReply = z.strictObject({
  calls: z.array(z.string()),
  transfers_max: z.int().exactOptional(),
});

/** The schemas of refusals, by status, with their codes. */
function refusalSchemas(refusals: ControlCall['refusals']): Record<number, z.ZodType> {
  const codesByStatus = new Map<number, string[]>();
  for (const [status, code] of refusals) codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code]);
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [status, z.strictObject({ error: z.string(), code: z.enum(codes) })]),
  );
}

/** The control API as an OpenAPI 3.1 document. */
export function controlDocument(calls: readonly ControlCall[]): OpenApiDocument {
  const bearer = 'control-token';
  const described = calls.map(({ method, path, purpose, body, reply, refusals }) => {
    const allRefusals = [NO_TOKEN, NO_STORE, ...STRAY, ...(body === null ? [] : BODY_REFUSALS), ...refusals];
    return {
      id: path.replaceAll(/[^a-z]+/g, '-'),
      method: method.toUpperCase(),
      path: `${CONTROL_PATH}/${path}`,
      summary: purpose,
      body,
      replies: { 200: reply, ...refusalSchemas(allRefusals) },
      security: bearer,
    };
  });
  return openApiDocument({
    title: 'AIPS control API',
    description:
      'Calls that a test may make and a client may not. A server may offer some of them: capabilities lists which.',
    operations: [
      {
        id: 'capabilities',
        method: 'GET',
        path: `${CONTROL_PATH}/capabilities`,
        summary: 'Lists the calls that this server offers.',
        body: null,
        replies: { 200: capabilitiesReply, ...refusalSchemas([NO_TOKEN, ...STRAY]) },
        security: bearer,
      },
      ...described,
    ],
    securitySchemes: { [bearer]: { type: 'http', scheme: 'bearer' } },
  });
}
