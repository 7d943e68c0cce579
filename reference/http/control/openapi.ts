import { z } from 'zod';
import { type OpenApiDocument, openApiDocument } from '../../../spec/openapi.js';
import type { ControlCall } from './call.js';

const refusal = z.strictObject({ error: z.string(), code: z.string() });

/** The control API as an OpenAPI 3.1 document, derived from the calls themselves. */
export function controlDocument(calls: readonly ControlCall[]): OpenApiDocument {
  const bearer = 'control-token';
  const described = calls.map(({ method, path, purpose, body, reply, refusals }) => {
    const replies: Record<number, z.ZodType> = { 200: reply };
    if (body !== null) replies[400] = refusal;
    for (const status of [401, ...refusals.map(([status]) => status)]) replies[status] = refusal;
    return {
      id: path.replaceAll(/[^a-z]+/g, '-'),
      method: method.toUpperCase(),
      path: `/control/v1/${path}`,
      summary: purpose,
      body,
      replies,
      security: bearer,
    };
  });
  return openApiDocument({
    title: 'AIPS control API',
    description: 'What a test may do that a client may not. A server may offer a part: capabilities says which.',
    operations: [
      {
        id: 'capabilities',
        method: 'GET',
        path: '/control/v1/capabilities',
        summary: 'Tells which calls this server has.',
        body: null,
        replies: { 200: z.strictObject({ calls: z.array(z.string()) }), 401: refusal },
        security: bearer,
      },
      ...described,
    ],
    securitySchemes: { [bearer]: { type: 'http', scheme: 'bearer' } },
  });
}
