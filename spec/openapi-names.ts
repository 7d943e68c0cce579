/**
 * Names the schemas of an OpenAPI document: a generator makes types of named schemas, and none of nameless ones. The body and the
 * replies of an operation are named after it; an object that several of them hold, after its field.
 */

/** A JSON value that is an object. */
export type Json = { readonly [key: string]: unknown };

/** Operations by path and method. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>;

const pascal = (id: string): string =>
  id.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());

/** An id as a name in most languages, which generators take as it is: `sponsor.post` is `sponsorPost`. */
export const camel = (id: string): string =>
  id.replaceAll(/[^A-Za-z0-9]+([A-Za-z0-9])/g, (_, next: string) => next.toUpperCase());

/** How often each schema of an object occurs in a value, by its text. */
function countsIn(value: unknown, counts = new Map<string, number>()): ReadonlyMap<string, number> {
  if (typeof value !== 'object' || value === null) return counts;
  if (isObjectSchema(value)) {
    const text = JSON.stringify(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  for (const inner of Object.values(value)) countsIn(inner, counts);
  return counts;
}

/** The paths with references in place of schemas, and the schemas by their names. */
export function withNames(paths: Paths): { readonly paths: Paths; readonly schemas: Json } {
  const counts = countsIn(paths);
  const schemas: Record<string, unknown> = {};
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
  const named = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, described(operation)])),
  ]);
  return { paths: Object.fromEntries(named), schemas };
}

const isObjectSchema = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'object' && 'properties' in value;
