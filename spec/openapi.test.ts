import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dialects } from './dialect.js';
import { endpoints } from './endpoints/index.js';
import { errors } from './errors.js';
import { openApiDocument } from './openapi.js';
import { openApiOf } from './openapi-endpoints.js';
import { withOverlay } from './overlay.js';
import { protocol } from './protocol.js';

const facts = { protocol, dialect: dialects.service };
const documents = { registry: openApiOf('registry', facts), beats: openApiOf('beats', facts) };

/** A test reads whatever the document should hold. */
type Read = ReturnType<typeof JSON.parse>;

/** The schema that a reference leads to, or the schema itself. */
const followed = (document: Read, schema: Read): Read =>
  schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)];

/** Every value of a document with the path that leads to it. */
function walk(value: unknown, at = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[at, value]];
  return [[at, value], ...Object.entries(value).flatMap(([key, inner]) => walk(inner, `${at}/${key}`))];
}

describe.each(['registry', 'beats'] as const)('the document of the %s', (service) => {
  const document = documents[service];

  it('has every endpoint of the service, and nothing else', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const own = endpoints.filter((endpoint) => endpoint.service === service);
    const wanted = own.map(({ method, path }) => `${method} ${path.replace(':hash', '{hash}')}`);
    expect(described.toSorted()).toEqual(wanted.toSorted());
  });

  it('is OpenAPI 3.1, plain JSON, with one name for each operation', () => {
    expect(document.openapi).toBe('3.1.1');
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((each) => each['operationId']),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const names = [...ids, ...Object.keys((document as Read).components.securitySchemes)];
    expect(names.filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(String(name)))).toEqual([]);
  });

  it('names a parameter for every part of a path that varies', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const varying = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const operation of Object.values(methods)) {
        const given = ((operation as Read).parameters ?? []).filter((each: Read) => each.in === 'path');
        expect(given.map((each: Read) => [each.name, each.required])).toEqual(varying.map((name) => [name, true]));
      }
    }
  });

  it('refers to nothing that it does not hold, and uses every scheme', () => {
    const values = walk(document);
    expect(values.filter(([at]) => at.endsWith('/$schema'))).toEqual([]);
    const named = (document as Read).components.schemas;
    const referred = values.flatMap(([at, value]) => (at.endsWith('/$ref') ? [String(value)] : []));
    expect(new Set(referred)).toEqual(new Set(Object.keys(named).map((name) => `#/components/schemas/${name}`)));
    const schemes = Object.keys((document as Read).components.securitySchemes);
    const used = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap((each: Read) => each.security.flatMap((one: object) => Object.keys(one))),
    );
    expect([...new Set(used)].toSorted()).toEqual(schemes.toSorted());
  });
});

describe('every refusal of section 7', () => {
  /** `status CODE` of every refusal that the document states for an operation. */
  function stated(endpoint: (typeof endpoints)[number]): Set<string> {
    const { service, path, method } = endpoint;
    const operation: Read = documents[service].paths[path.replace(':hash', '{hash}')]?.[method.toLowerCase()];
    const codesIn = (given: Read): string[] => {
      const schema = followed(documents[service], given);
      return [
        ...(schema.properties?.code?.enum ?? []),
        ...(schema.properties?.code?.const === undefined ? [] : [schema.properties.code.const]),
        ...(schema.anyOf ?? []).flatMap(codesIn),
      ];
    };
    const replies = Object.entries<Read>(operation.responses);
    return new Set(
      replies.flatMap(([status, { content }]) =>
        codesIn(content['application/json'].schema).map((code) => `${status} ${code}`),
      ),
    );
  }
  const rows = Object.values(errors);
  const stems = [...new Set(endpoints.map(({ stem }) => stem))];

  it.each(stems)('stands among the replies of %s', (stem) => {
    const own = rows.filter(({ endpoint }) => endpoint === stem).map(({ status, code }) => `${status} ${code}`);
    for (const endpoint of endpoints.filter((each) => each.stem === stem)) {
      const documented = stated(endpoint);
      expect([endpoint.id, own.filter((row) => !documented.has(row))]).toEqual([endpoint.id, []]);
    }
  });

  it('of `any` stands wherever it can be answered', () => {
    const bodied = ['400 INVALID_JSON', '413 BODY_TOO_LARGE', '415 CONTENT_TYPE_REQUIRED'];
    for (const endpoint of endpoints) {
      const documented = stated(endpoint);
      const general = endpoint.buckets.length > 0 ? ['429 RATE_LIMITED'] : [];
      if (endpoint.auth === 'agent') general.push('401 AUTH_MISSING');
      if (endpoint.body !== null) general.push(...bodied);
      expect([endpoint.id, general.filter((row) => !documented.has(row))]).toEqual([endpoint.id, []]);
    }
  });

  it('of the table is of an endpoint that is described', () => {
    expect(rows.map(({ endpoint }) => endpoint).filter((stem) => stem !== 'any' && !stems.includes(stem))).toEqual([]);
  });
});

describe('what an operation says', () => {
  const at = (method: string, path: string): Read => documents.registry.paths[`/api/v1${path}`]?.[method];
  const body = (operation: Read): Read =>
    followed(documents.registry, operation.requestBody.content['application/json'].schema);
  const reply = (operation: Read, status: number): Read =>
    followed(documents.registry, operation.responses[status].content['application/json'].schema);

  it('follows section 7: the codes of a status', () => {
    expect(reply(at('delete', '/agent/sponsor'), 404).properties.code.enum).toEqual([
      'AGENT_NOT_FOUND',
      'SPONSOR_NOT_FOUND',
    ]);
    expect(reply(at('post', '/admin/agent/subsidy'), 401).properties.code.enum).toEqual([
      'AUTH_MISSING',
      'AUTH_INVALID',
    ]);
    expect(reply(at('post', '/agent/checkin'), 410).anyOf[0].required).toEqual(['error', 'deprecated']);
  });

  it('follows section 4: bounds, vocabularies, headers and credentials', () => {
    expect(body(at('post', '/agent/sponsor')).properties.max_heartbeats_epoch).toMatchObject({
      minimum: 1,
      maximum: 10_000,
    });
    expect(body(at('post', '/sigil')).required).toEqual(['identity_class', 'principal', 'tier']);
    expect(body(at('patch', '/agent/metadata')).properties.substrate_provider.enum).toContain('vendor_8');
    expect(at('post', '/register').parameters.map((each: Read) => each.name)).toEqual([
      'x-registration-secret',
      'x-registration-token',
    ]);
    // A root registers with no credential; a child with its parent's key.
    expect(at('post', '/register').security).toEqual([{}, { parentKey: [] }]);
    expect(at('get', '/status/{hash}').security).toEqual([]);
    expect(at('put', '/partner/webhook').security).toEqual([{ partnerKey: [] }]);
  });

  it('is named, and open where a later version may add fields', () => {
    const { schemas } = (documents.registry as Read).components;
    expect(at('post', '/sigil').requestBody.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/SigilBody',
    });
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['HeartbeatReply', 'Passport', 'SigilRefusal409']));
    const replies = Object.entries<Read>(schemas).filter(([name]) => /Reply|Refusal|Passport/.test(name));
    expect(replies.filter(([, schema]) => JSON.stringify(schema).includes('"additionalProperties":false'))).toEqual([]);
  });

  it('follows the numbers and names of the deployment', () => {
    const changed = {
      protocol: withOverlay({ sponsor: { heartbeatsEpochMax: 77_777 } }),
      dialect: dialects.provenonce,
    };
    const text = JSON.stringify(openApiOf('registry', changed));
    expect(text).toContain('77777');
    expect(text).toContain('provenonce_signature');
    expect(text).not.toContain('service_signature');
  });
});

it('a schema that JSON Schema cannot say in full is left open, not left out', () => {
  const document = openApiDocument({
    title: 't',
    description: 'd',
    operations: [
      {
        id: 'a',
        method: 'POST',
        path: '/a/:b/c/:d',
        summary: 's',
        body: z.object({ text: z.string().transform((text) => text.length) }),
        replies: { 200: z.object({ n: z.bigint() }), 599: z.object({}) },
        security: null,
      },
    ],
    securitySchemes: {},
  });
  const operation: Read = document.paths['/a/{b}/c/{d}']?.['post'];
  expect(operation.parameters.map((each: Read) => each.name)).toEqual(['b', 'd']);
  const schemaOf = (content: Read): Read => followed(document, content['application/json'].schema);
  expect(schemaOf(operation.requestBody.content).properties).toEqual({ text: { type: 'string' } });
  expect(schemaOf(operation.responses[200].content).properties).toEqual({ n: {} });
  expect(operation.responses[599].description).toBe('Reply');
});
