/** Writes an OpenAPI 3.1 document from operations and their zod schemas. It knows no endpoint. */

import { z } from 'zod';
import { camel, type Json, type Paths, withNames } from './openapi-names.js';

/** A header that an operation takes. */
export interface OpenApiHeader {
  readonly name: string;
  readonly description: string;
}

/** One call as OpenAPI describes it. */
export interface OpenApiOperation {
  readonly id: string;
  readonly method: string;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly summary: string;
  readonly body: z.ZodType | null;
  /** The schema of each reply, refusals among them, by status. */
  readonly replies: Readonly<Record<number, z.ZodType>>;
  /** A name of the document's security schemes; null for a call without a credential. */
  readonly security: string | null;
  /** A call without the credential is another mode of the operation. */
  readonly isAnonymousToo?: boolean;
  readonly headers?: readonly OpenApiHeader[];
}

interface OpenApiInput {
  readonly title: string;
  readonly description: string;
  readonly operations: readonly OpenApiOperation[];
  readonly securitySchemes: Readonly<Record<string, Json>>;
}

/** An OpenAPI 3.1 document as plain data. */
export interface OpenApiDocument extends Json {
  readonly openapi: '3.1.1';
  readonly paths: Paths;
}

/** The version of the interface: 9, rule 1 puts it into every path. */
const API_VERSION = '1';

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
};

/** The operations by path and method, each with its schemas in it: JSON Schema 2020-12, which OpenAPI 3.1 takes as they are. */
export function describedPaths(operations: readonly OpenApiOperation[]): Paths {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    const methods = paths[path] ?? {};
    methods[operation.method.toLowerCase()] = describeOperation(operation);
    paths[path] = methods;
  }
  return paths;
}

/** Writes the document. */
export function openApiDocument({ title, description, operations, securitySchemes }: OpenApiInput): OpenApiDocument {
  const { paths, schemas } = withNames(describedPaths(operations));
  return {
    openapi: '3.1.1',
    info: { title, description, version: API_VERSION },
    paths,
    components: { schemas, securitySchemes },
  };
}

function describeOperation(operation: OpenApiOperation): Json {
  const { id, path, summary, body, replies, security, isAnonymousToo = false, headers = [] } = operation;
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const sent = headers.map((header) => ({ ...header, in: 'header', schema: { type: 'string' } }));
  const parameters = [...named, ...sent];
  const responses = Object.entries(replies).map(([status, schema]) => [
    status,
    { description: REASONS[Number(status)] ?? 'Reply', content: json(schema, 'output') },
  ]);
  return {
    operationId: camel(id),
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: { required: true, content: json(body, 'input') } }),
    responses: Object.fromEntries(responses),
    security: security === null ? [] : [...(isAnonymousToo ? [{}] : []), { [security]: [] }],
  };
}

/** The schema of a reply as clients may rely on it: a later version may add fields to any object. */
function open(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(open);
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, inner]: [string, unknown]) =>
      key === 'additionalProperties' && inner === false ? [] : [[key, open(inner)]],
    ),
  );
}

function json(schema: z.ZodType, io: 'input' | 'output'): Json {
  // JSON Schema cannot express what a refinement checks beyond the shape: that is left to the server.
  const { $schema, ...written } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' });
  return { 'application/json': { schema: io === 'output' ? open(written) : written } };
}
