/** Writes an OpenAPI 3.1 document from operations and their zod schemas. It knows no endpoint. */

import { z } from 'zod';

/** A JSON value that is an object. */
type Json = { readonly [key: string]: unknown };

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

export interface OpenApiInput {
  readonly title: string;
  readonly description: string;
  readonly operations: readonly OpenApiOperation[];
  readonly securitySchemes: Readonly<Record<string, Json>>;
}

/** An OpenAPI 3.1 document as plain data. */
export interface OpenApiDocument extends Json {
  readonly openapi: '3.1.1';
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
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

/** Writes the document. Schemas are JSON Schema 2020-12, which OpenAPI 3.1 takes as they are. */
export function openApiDocument({ title, description, operations, securitySchemes }: OpenApiInput): OpenApiDocument {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    const methods = paths[path] ?? {};
    methods[operation.method.toLowerCase()] = describeOperation(operation);
    paths[path] = methods;
  }
  const schemas: Record<string, unknown> = {};
  const named = withNames(paths, schemas) as typeof paths;
  return {
    openapi: '3.1.1',
    info: { title, description, version: API_VERSION },
    paths: named,
    components: { schemas, securitySchemes },
  };
}

const pascal = (id: string): string =>
  id.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());

/**
 * The paths with references in place of schemas: a generator makes types of named schemas, and none of nameless ones. The body
 * and the replies of an operation are named after it; an object that several of them hold, after its field.
 */
function withNames(paths: Readonly<Record<string, Readonly<Record<string, Json>>>>, schemas: Record<string, unknown>) {
  const counts = new Map<string, number>();
  const count = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    if (isObjectSchema(schema)) {
      const text = JSON.stringify(schema);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    for (const inner of Object.values(schema)) count(inner);
  };
  count(paths);
  const names = new Map<string, string>();
  const refer = (name: string, schema: object): Json => {
    const text = JSON.stringify(schema);
    let known = names.get(text);
    if (known === undefined) {
      known = name;
      for (let n = 2; known in schemas; n += 1) known = `${name}${n}`;
      names.set(text, known);
      schemas[known] = {};
      schemas[known] = within(schema, name);
    }
    return { $ref: `#/components/schemas/${known}` };
  };
  const within = (schema: unknown, field: string): unknown => {
    if (typeof schema !== 'object' || schema === null) return schema;
    if (Array.isArray(schema)) return schema.map((each) => within(each, field));
    return Object.fromEntries(
      Object.entries(schema).map(([key, inner]: [string, unknown]) => {
        const isShared = isObjectSchema(inner) && (counts.get(JSON.stringify(inner)) ?? 0) > 1;
        return [key, isShared ? refer(pascal(key === 'items' ? field : key), inner) : within(inner, key)];
      }),
    );
  };
  const content = (held: Json, name: string): Json => {
    const { schema } = held['application/json'] as { schema: object };
    return { 'application/json': { schema: refer(name, schema) } };
  };
  const described = (operation: Json): Json => {
    const id = pascal(String(operation['operationId']));
    const asked = operation['requestBody'] as { readonly content: Json } | undefined;
    const replies = operation['responses'] as Readonly<Record<string, { readonly content: Json }>>;
    return {
      ...operation,
      ...(asked === undefined ? {} : { requestBody: { ...asked, content: content(asked.content, `${id}Body`) } }),
      responses: Object.fromEntries(
        Object.entries(replies).map(([status, reply]) => {
          const name = Number(status) < 400 ? `${id}Reply` : `${id}Refusal${status}`;
          return [status, { ...reply, content: content(reply.content, name) }];
        }),
      ),
    };
  };
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, described(operation)])),
    ]),
  );
}

const isObjectSchema = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'object' && 'properties' in value;

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
    operationId: id,
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
