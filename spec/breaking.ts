/** The ways in which a change of the specification breaks clients that follow the text as it is, one table of them. */

import { changedNumbers, changedParts, GONE } from './change.js';
import { dialects } from './dialect.js';
import { pathsOf } from './openapi-endpoints.js';
import type { Json, Paths } from './openapi-names.js';
import type { Protocol } from './protocol.js';

/** The classes of breaks, and their effect on a client. */
export const BREAKS = {
  'code-renamed': 'a client that compares the code of a refusal no longer recognizes it',
  'status-changed': 'a client that compares the status of a refusal no longer recognizes it',
  'value-removed': 'a request with this value is refused, or an event never comes',
  'value-added': 'a client that lists all values meets one that it does not know',
  'bound-narrowed': 'a request that was within the bounds is refused',
  'limit-narrowed': 'a client that keeps its pace is refused with 429',
  'wait-lengthened': 'a client that waits as long as before comes too early',
  'life-shortened': 'what a client keeps as long as before has ended',
  'work-raised': 'a client that computes or sends as much as before has too little',
  'price-changed': 'a payment of the amount of before is refused',
  'field-required': 'a request without this field is refused',
  'field-refused': 'a request with this field is refused',
  'field-removed': 'a client that reads this field finds nothing',
} as const;

/** The kinds of breaks as entries of a file of accepted changes begin: of clients, and of recorded servers. */
export const BREAK_KINDS = { client: 'client-break', server: 'server-break' } as const;

type Direction = 'down' | 'up' | 'either';

/** The class of a number that moves in a direction, by the first pattern that its path has. Other numbers break no client. */
const NUMBERS: readonly (readonly [path: RegExp, direction: Direction, kind: keyof typeof BREAKS])[] = [
  [/^limits\.\w+\.count$/, 'down', 'limit-narrowed'],
  [/^limits\.\w+\.windowSec$/, 'up', 'limit-narrowed'],
  [/^flag\.breakerPendingMax$/, 'down', 'limit-narrowed'],
  [/^flag\.breakerWindowSec$/, 'up', 'limit-narrowed'],
  [/^heartbeat\.\w+Cap$/, 'down', 'limit-narrowed'],
  [/FeeLamports$|\.feeLamports$/, 'either', 'price-changed'],
  [/^heartbeat\.tier\dHeartbeatsMax$/, 'either', 'price-changed'],
  [/^heartbeat\.intervalBeatsMin$/, 'up', 'wait-lengthened'],
  [/^(dms\.missedAnchorsMax|work\.receiptAnchorsMax|anchor\.graceAnchors)$/, 'down', 'life-shortened'],
  [/(TtlSec|validityHours|lineageProofUntilMs)$/, 'down', 'life-shortened'],
  [/^beat\.difficulty$/, 'either', 'work-raised'],
  [
    /^(resync\.(beatsPerMissedAnchor|beatsMax)|spawn\.(baseBeats|\w+Numerator)|proof\.(spotChecksMin|challengeChecks))$/,
    'up',
    'work-raised',
  ],
  [/^spawn\.\w+Denominator$/, 'down', 'work-raised'],
  [/Max$/, 'down', 'bound-narrowed'],
  [/Min$/, 'up', 'bound-narrowed'],
];

/** One break: the path of what changes, as an overlay writes it, or of a field in OpenAPI. */
interface Break {
  readonly kind: keyof typeof BREAKS;
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/** The breaks of a change, in the order of the numbers and parts. */
export function breaksOf(from: Protocol, to: Protocol): readonly Break[] {
  const numbers = changedNumbers(from, to).flatMap(({ path, from: was, to: now }): readonly Break[] => {
    const row = NUMBERS.find(([pattern]) => pattern.test(path));
    if (row === undefined || (row[1] !== 'either' && row[1] !== (now < was ? 'down' : 'up'))) return [];
    return [{ kind: row[2], path, from: String(was), to: String(now) }];
  });
  const parts = changedParts(from, to).flatMap(({ path, from: was, to: now }): readonly Break[] =>
    kindsOfPart(path, was, now).map((kind) => ({ kind, path, from: was, to: now })),
  );
  const fields = (['registry', 'beats'] as const).flatMap((service) => {
    const [before, after] = [from, to].map((protocol) => pathsOf(service, { protocol, dialect: dialects.service }));
    return fieldBreaks(before as Paths, after as Paths);
  });
  return [...numbers, ...parts, ...fields];
}

function kindsOfPart(path: string, from: string, to: string): readonly Break['kind'][] {
  if (path.startsWith('errors.')) {
    const [was, now] = [from, to].map((text) => text.split(' ', 2));
    return [
      ...(was?.[0] === now?.[0] ? [] : ['status-changed' as const]),
      ...(was?.[1] === now?.[1] ? [] : ['code-renamed' as const]),
    ];
  }
  if (path.startsWith('formulas.')) return ['work-raised'];
  if (to === GONE) return ['value-removed'];
  return from === GONE ? ['value-added'] : ['price-changed'];
}

/** A schema, as far as its fields count. */
interface Fields {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

/** Fields of bodies that are newly required or refused, and fields of replies that are gone, by the OpenAPI of both. */
export function fieldBreaks(before: Paths, after: Paths): readonly Break[] {
  return Object.entries(before).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const other = after[path]?.[method];
      if (other === undefined) return [];
      const place = `${method.toUpperCase()} ${path}`;
      const bodies = [operation, other].map((one) => schemaIn(one, 'requestBody')) as [Fields, Fields];
      const statuses = Object.keys(Object(operation['responses']) as object).filter((status) => status < '300');
      const replies = statuses.map((status) => [operation, other].map((one) => schemaIn(one, 'responses', status)));
      return [
        ...bodyBreaks(place, ...bodies),
        ...replies.flatMap((pair) => replyBreaks(place, ...(pair as [Fields, Fields]))),
      ];
    }),
  );
}

function schemaIn(operation: Json, ...at: readonly string[]): Fields {
  const path = [...at, 'content', 'application/json', 'schema'];
  return Object(path.reduce<unknown>((held, key) => (Object(held) as Json)[key], operation)) as Fields;
}

function bodyBreaks(place: string, before: Fields, after: Fields): readonly Break[] {
  const required = (after.required ?? []).filter((field) => before.required?.includes(field) !== true);
  const refuses = ({ properties = {} }: Fields, field: string): boolean => 'not' in (properties[field] ?? {});
  const refused = Object.keys(after.properties ?? {}).filter(
    (field) => refuses(after, field) && !refuses(before, field),
  );
  return [
    ...required.map(
      (field): Break => ({ kind: 'field-required', path: `${place} ${field}`, from: 'optional', to: 'required' }),
    ),
    ...refused.map(
      (field): Break => ({ kind: 'field-refused', path: `${place} ${field}`, from: 'taken', to: 'refused' }),
    ),
  ];
}

function replyBreaks(place: string, before: Fields, after: Fields): readonly Break[] {
  const { properties } = after;
  const gone =
    properties === undefined ? [] : (before.required ?? []).filter((field) => properties[field] === undefined);
  return gone.map((field) => ({ kind: 'field-removed', path: `${place} ${field}`, from: 'there', to: GONE }));
}
