/** The words that an editor of the page offers: the keys and fixed values of a schema, and no other. */

/** All names of properties and all fixed values in a JSON Schema, each once, in its order. */
export function schemaWords(schema: unknown): readonly string[] {
  const words = new Set<string>();
  collect(schema, words);
  return [...words];
}

function collect(node: unknown, words: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const each of node) collect(each, words);
    return;
  }
  const { properties, enum: values, const: fixed, ...rest } = node as Readonly<Record<string, unknown>>;
  for (const [name, inner] of Object.entries(Object(properties) as object)) {
    words.add(name);
    collect(inner, words);
  }
  for (const value of [...(Array.isArray(values) ? (values as readonly unknown[]) : []), fixed])
    if (typeof value === 'string') words.add(value);
  collect(Object.values(rest), words);
}
