/** Advice about keys that an overlay cannot have. Those that it can have are in overlay.ts and parts.ts. */

import { UNKNOWN_KEY } from './document.js';
import { formulaNames } from './formula/formulas.js';
import { didYouMean } from './nearest-name.js';
import { CONSTANTS } from './number-bounds.js';
import { FEE_TIERS } from './parts.js';
import { protocol, protocolNumbers } from './protocol.js';

const BY_PULL_REQUEST =
  'change the behaviour in reference/, and the text of its clauses in spec/clauses/ by pull request';

/** Facts that are not data, by keys. The first matching row explains the refusal of a key. */
const NOT_DATA: readonly (readonly [key: RegExp, message: string])[] = [
  [
    /^endpoints(\.|$)/,
    'is not changed by data, but a limit can switch one off: limits.passport.count: 0 refuses every GET /agent/passport',
  ],
  [/^heartbeat\.tier(3HeartbeatsMax|(?![123]\D)\d+\w*)$/, FEE_TIERS],
  [
    /^errors\.|^(rows?|codes?)(\.|$)/i,
    'is not changed by data: an overlay gives a row of errors another status or code (errors: { heartbeat/VOLUME_CAP_REACHED: { status: 409 } }); a row that is new or gone needs its rule, in spec/errors.ts and reference/registry/',
  ],
  [
    /grace(?!Anchors?$)/i,
    `is not changed by data: a freeze has a period of grace, dms.graceAnchors, and any other is a rule of its own; ${BY_PULL_REQUEST}`,
  ],
  [
    /(cap|max)\w*(life|ever|total)|life(time)?\w*(cap|max)/i,
    `is not changed by data: a cap for life needs a count that no epoch resets; ${BY_PULL_REQUEST}`,
  ],
  [
    /formula|curve|function/i,
    `is not changed by data: the numbers of a formula are, ${formulaNames.join(' and ')} are below formulas, and another formula is a rule; ${BY_PULL_REQUEST}`,
  ],
  [
    /^(clauses|text|sections|decisions)(\.|$)/,
    'is not changed by data: change the text of the clause in spec/clauses/ by pull request',
  ],
  [
    /^(fields?|schemas?|bod(y|ies)|repl(y|ies)|responses?|requests?|headers?)(\.|$)|\.(fields?|schema|required|optional|reply|body|headers?)(\.|$)/i,
    'is not changed by data: fields of bodies and replies are schemas; change the file of the endpoint in spec/endpoints/, its clauses in spec/clauses/ and its rule in reference/ by pull request',
  ],
  [
    /^(states?|status(es)?|moves?|transitions?|flows?)(\.|$)|\.(states?|transitions?)(\.|$)/i,
    `is not changed by data: states and moves are in spec/states.ts, and rules make them; ${BY_PULL_REQUEST}`,
  ],
  [
    /^(paths?|routes?|urls?|methods?)(\.|$)|\.(paths?|routes?|methods?)(\.|$)|\//i,
    'is not changed by data: path, method and credential of an endpoint are in its file in spec/endpoints/, which a pull request changes',
  ],
  [
    /^limits\.\w+\.(by|per|keys?|keyed\w*|scope|subject|bucket\w*)(\.|$)|^(buckets?|rateLimits?)(\.|$)/i,
    'is not changed by data: what a bucket is kept by (address, agent, target, service) is in the file of the endpoint in spec/endpoints/, which a pull request changes; of a limit an overlay changes count and windowSec',
  ],
  [
    /^(vocabular(y|ies)|words?|enums?|substrates?|capabilit(y|ies)|protocols?|compliance\w*|modalit(y|ies))(\.|$)|\.(substrate\w*|capabilit\w*|protocol|compliance\w*|values|words|enum)(\.|$)/i,
    'is not changed by data: the words of a field are in spec/vocabulary.ts, which a pull request changes; of classes, tiers, events and modes an overlay can add or remove some (docs/spec-change.md)',
  ],
  [
    /^(auth|credentials?|keys?|tokens?|signatures?|crypto)(\.|$)/i,
    `is not changed by data: credentials and signatures are rules; ${BY_PULL_REQUEST}`,
  ],
];

/** The message of a problem with a key of an overlay: the schema's own, or what to do in place of a key that it does not have. */
export function overlayAdvice(key: string, message: string): string {
  const constant = Object.hasOwn(CONSTANTS, key) ? CONSTANTS[key] : undefined;
  if (constant !== undefined) return `is not changed by data: ${constant.why}`;
  if (message !== UNKNOWN_KEY) return message;
  const dotted = nestedForm(key);
  if (dotted !== undefined) return dotted;
  const meant = meantBy(key);
  const row = NOT_DATA.find(([test]) => test.test(key));
  if (row !== undefined) return row[1];
  return meant === '' ? `${UNKNOWN_KEY}: ${otherwise(key)}` : UNKNOWN_KEY + meant;
}

/** The group of numbers at a path; undefined where there is none. */
function groupAt(path: readonly string[]): object | undefined {
  return path.reduce<object | undefined>((node, part) => {
    const inner: unknown =
      node !== undefined && Object.hasOwn(node, part) ? (node as Record<string, unknown>)[part] : undefined;
    return typeof inner === 'object' && inner !== null ? inner : undefined;
  }, protocol);
}

/** The nested form of the key of a number that is spelt with dots. */
function nestedForm(key: string): string | undefined {
  const known = protocolNumbers().some(({ path }) => path === key);
  if (!known) return undefined;
  const nested = key.split('.').reduceRight((inner, part) => `${part}: ${inner === '' ? '…' : `{ ${inner} }`}`, '');
  return `is written with dots, and an overlay nests: ${nested}`;
}

/** The key that may be meant: one of the same group, or a number of the same name in another. */
function meantBy(key: string): string {
  const path = key.split('.');
  const last = path.at(-1) ?? '';
  const near = didYouMean(last, Object.keys(groupAt(path.slice(0, -1)) ?? {}));
  const elsewhere = protocolNumbers().filter((number) => number.path.endsWith(`.${last}`));
  return near === '' && elsewhere.length > 0
    ? `; did you mean ${elsewhere.map((each) => each.path).join(' or ')}?`
    : near;
}

const MOST_NAMED = 12;

/** The keys that an overlay can have there, and the advice for anything else. */
function otherwise(key: string): string {
  const path = key.split('.');
  const group = groupAt(path.slice(0, -1));
  const pull = `for anything else ${BY_PULL_REQUEST}`;
  if (path.length === 1 || group === undefined)
    return `an overlay has the groups of numbers that "aips spec snapshot" prints, and errors, classes, tiers, events, modes and formulas; ${pull}`;
  const names = Object.keys(group);
  const shown = names.length > MOST_NAMED ? `${names.slice(0, MOST_NAMED).join(', ')}, …` : names.join(', ');
  return `${path.slice(0, -1).join('.')} has ${shown}; a number that is new needs a rule that obeys it (CONTRIBUTING.md, A number)`;
}
