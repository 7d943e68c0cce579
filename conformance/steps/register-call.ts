/** Registration as the checks of it call it: with a body as it is, with one fault, and with a token that must not open it. */

import { identical } from '../../model/reading/compare.js';
import type { FieldTest } from '../../model/reading/field-tests.js';
import { keptName } from '../../spec/dialect-settings.js';
import type { Reply } from '../assertions/reply.js';
import type { Check } from '../trial/check.js';
import { registrationHeaders } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** Registers with a body as it is, in mode 1 unless the body says otherwise. */
export function register(
  t: Trial,
  body: unknown,
  more: {
    readonly address?: string | undefined;
    readonly mayLimit?: boolean;
    readonly mayBeOff?: boolean;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Reply> {
  return t.call('register', { body, headers: registrationHeaders(t.session), ...more });
}

/** Metadata whose JSON has exactly `bytes` bytes; `fill` is the character that fills it. */
export function metadataOf(bytes: number, fill: string): { pad: string } {
  const each = Buffer.byteLength(fill);
  const room = bytes - Buffer.byteLength(JSON.stringify({ pad: '' }));
  return { pad: fill.repeat(Math.floor(room / each)) + 'x'.repeat(room % each) };
}

/** Metadata that is invalid by 2.2: no object, and an object that is too large. */
export const unfitMetadata = (t: Trial): readonly unknown[] => [
  metadataOf(t.protocol.registration.metadataBytesMax + 1, 'x'),
  ['no', 'object'],
  'no object',
];

/** The clauses of a check of `unfitNotKept`. */
export const UNFIT_METADATA = [
  'register.metadata.size',
  'constant.registration-metadata',
  'register.metadata.object',
] as const;

/**
 * 2.2: what is no metadata is kept of no agent, whatever mode it is sent in. Whether a mode takes any, and in which of its
 * phases it is refused, is open: what the reply of a registration or a lookup of its agent returns was taken. `last` is the
 * reply with which the registration ended.
 */
export async function unfitNotKept(t: Trial, metadata: unknown, last: Reply): Promise<void> {
  const hash = last.status < 300 ? last.get('hash') : undefined;
  const looked = typeof hash === 'string' ? t.accepted(await t.call('status', { params: { hash } })) : last;
  const isKept = [last, looked].some((reply) => reply.status < 300 && identical(reply.get('metadata'), metadata));
  const [size, bound, form] = UNFIT_METADATA;
  const shows = t.shows(...(typeof metadata === 'object' && !Array.isArray(metadata) ? [size, bound] : [form]));
  // Taken and not kept, it may have been read as none.
  if (isKept || last.status >= 400) shows.of(last, 'metadata that is none', !isKept, 'not kept', last.excerpt());
}

/** As setup: a fresh token (4.3). */
export function issueToken(t: Trial): Promise<string> {
  return t.setup('a token', async () => t.accepted(await t.call('register-token')).string('token'));
}

/** Registers a root with a token, and no secret; with more fields of the body where they are given. */
export function spendToken(t: Trial, token: string, more: object = {}): Promise<Reply> {
  return register(t, { name: t.word(), ...more }, { headers: { 'x-registration-token': token } });
}

/** The two phases of a registration with a wallet, with the headers of its credential. */
interface Phases {
  readonly ask: (headers: Readonly<Record<string, string>>) => Promise<Reply>;
  readonly finish: (nonce: string, headers: Readonly<Record<string, string>>) => Promise<Reply>;
}

/**
 * A token that is sent in both phases of a registration with a wallet, since 4.2 does not say in which it counts: it opens no
 * other registration after that. Where it is used up by the first phase, the second is refused with it.
 */
export async function tokenOpensOnce(t: Trial, { ask, finish }: Phases): Promise<void> {
  const token = await issueToken(t);
  const headers = { 'x-registration-token': token };
  const asked = t.accepted(await ask(headers), 'register-token.use.header');
  const reply = await finish(asked.string('nonce'), headers);
  if (reply.status !== t.row('register/AUTH_INVALID').status) t.accepted(reply, 'register-token.use.header');
  await tokenRefused(t, await spendToken(t, token), 'register-token.use.once', 'key.registration-token');
}

/** The clauses of a check of `tokenOpensOnce`. */
export const TOKEN_ONCE = [
  'register-token.use.header',
  'register-token.use.once',
  'register.error.auth-invalid.token',
  'key.registration-token',
] as const;

/**
 * 2.2: metadata that the reply of a registration returns is what status returns, and verify, in whatever mode the agent was
 * registered. Where a mode's reply shows none, whether it takes any is not shown.
 */
export async function lookupsReturn(t: Trial, reply: Reply, metadata: { readonly mark: string }): Promise<void> {
  const rows = [
    ['status', 'metadata', 'D-19', 'register.metadata.returned.status'],
    ['verify', 'agent.metadata', 'D-20', 'register.metadata.returned.verify'],
  ] as const;
  for (const [id, path, decision, clause] of rows) {
    if (reply.get('metadata.mark') !== metadata.mark) {
      t.shows(clause).unjudged('the reply of the registration returns no metadata, so that none may have been taken');
      continue;
    }
    const looked = t.accepted(await t.call(id, { params: { hash: reply.string('hash') } }));
    if (isInLookup(t, looked, metadata.mark, clause))
      t.shows(clause).through(decision).exactField(looked, path, metadata);
  }
}

/** Whether a lookup shows a word of the registration's metadata, wherever it is: the text demands the word, and our decision its place. */
export function isInLookup(t: Trial, looked: Reply, word: string, clause: string): boolean {
  const isThere = JSON.stringify(looked.json ?? null).includes(word);
  t.shows(clause).of(looked, 'registration metadata', isThere, 'what was given at registration', looked.excerpt());
  return isThere;
}

/**
 * One fault in a registration, and the body without it. `clauses` are those of the refusal; `twin` those for which the
 * success of the other body is evidence, in the order of the check's list.
 */
export function refusal(
  id: string,
  title: string,
  { clauses, twin = [] }: { readonly clauses: readonly string[]; readonly twin?: readonly string[] },
  bodies: (t: Trial) => { readonly bad: unknown; readonly good: unknown },
): Check {
  return {
    id,
    title,
    clauses: [...new Set([...clauses, ...twin])],
    needs: [],
    registers: 2,
    requests: 2,
    writes: true,
    refusal: true,
    async run(t) {
      const { bad, good } = bodies(t);
      t.refused(await register(t, bad), 'register/VALIDATION', ...clauses);
      t.accepted(await register(t, good), ...twin);
    },
  };
}

/** The names of a two-phase registration: in its second phase, under the signature, and in its first phase, else that of the second. */
interface Names {
  readonly sent: string;
  readonly signed: string;
  readonly asked?: string;
}

/** A two-phase registration of 4.2 whose wallet signs another name than is sent, or the same. */
export type SignedAs = (t: Trial, names: Names) => Promise<Reply>;

/** Characters beyond 16 bits in a name: in the units of JavaScript they are twice as many. */
const BEYOND_CHARS = 36;

/** Names of which no part may be left out of the message that is signed: the longest of D-16, in capitals, beyond ASCII. */
const namesOf = (t: Trial): readonly string[] => [
  `Of ${t.word()}, THE Agent Whose Name Is Long `.padEnd(t.protocol.agent.nameCharsMax, 'Yz'),
  `Zoë ${t.word()} 山田 ${'𝒏'.repeat(BEYOND_CHARS)}`,
  // A letter in two characters, that some write in one.
  `Zoe\u0308 ${t.word()}`,
];

/** 4.2: the message that is signed ends in the name, whole and as it is: no other name's signature makes the agent. */
export function nameIsSigned(
  word: string,
  clause: string,
  registerAs: SignedAs,
  { unsuitableFor }: Pick<Check, 'unsuitableFor'> = {},
): Check {
  return {
    id: `register/${word}-name-signed`,
    title: `The message of a ${word} registration holds the whole name, in its case and beyond ASCII`,
    clauses: [clause, 'agent.field.name'],
    needs: [],
    registers: 3,
    walletRegisters: 14,
    requests: 17,
    writes: true,
    refusal: true,
    ...(unsuitableFor === undefined ? {} : { unsuitableFor }),
    async run(t) {
      const [long = '', ...beyond] = namesOf(t);
      const others = [long.toLowerCase(), long.slice(0, 32), long.slice(0, -1)];
      // A dialect may take characters out of a name before its signature is checked (D-57).
      const kept = (name: string): string => keptName(t.facts.dialect, name);
      for (const other of others) {
        t.refusedWith(await registerAs(t, { sent: long, signed: kept(other) }), '4xx', clause);
      }
      // The name of the first phase is not the agent's: where it is signed, the agent has it or there is none.
      const asked = t.word();
      const renamed = await registerAs(t, { asked, signed: kept(asked), sent: t.word() });
      if (renamed.get('name') !== kept(asked)) t.refusedWith(renamed, '4xx', clause);
      for (const name of [long, ...beyond]) {
        const reply = await registerAs(t, { sent: name, signed: kept(name) });
        const unsigned = reply.status < 300 ? reply : await register(t, { name });
        const isKept = unsigned.get('name') === undefined || sameText(kept(name)).holds(unsigned.get('name'));
        // D-16 says what a name may be: where it is taken in no mode, or in another form, nothing is shown of the message.
        if (unsigned.status >= 300) t.shows(clause).notFollowed('D-16', 'the name is refused whoever signs it');
        else if (reply.status >= 400 && !isKept)
          t.shows(clause).notFollowed('D-46', 'the name is kept in another form than it was sent in');
        else t.shows(clause).succeeds(reply);
        if (reply.status >= 300) t.withdrawRefusals(reply);
        else if (reply.get('name') !== undefined)
          t.alsoShows('agent.field.name').fieldIs(reply, 'name', sameText(kept(name)));
      }
    },
  };
}

/**
 * A name as it is kept, in whichever of the forms of Unicode that write the same letters. Where characters were taken out of
 * it, the spaces that this leaves at its ends may have gone with them.
 */
const sameText = (name: string): FieldTest => ({
  words: `the name ${JSON.stringify(name.trim())}`,
  holds: (value) =>
    typeof value === 'string' && [name, name.trim()].some((text) => value.normalize('NFC') === text.normalize('NFC')),
});

/**
 * 2.1: the name of an agent is the one that it was given. Which characters a name may have is open: a server may leave some out, and write others in another form of Unicode. It adds none, so that the rest occurs in the name that was given.
 */
export function nameIsNoOther(t: Trial, reply: Reply, name: string): void {
  const given = [...name.normalize('NFKD')];
  const kept = reply.get('name');
  let at = 0;
  const isLeft = (letter: string): boolean => {
    at = given.indexOf(letter, at) + 1;
    return at > 0;
  };
  const within = typeof kept === 'string' && [...kept.normalize('NFKD')].every(isLeft);
  const about = 'name of a registered agent';
  t.shows('agent.field.name').of(reply, about, within, `what ${JSON.stringify(name)} holds`, kept);
}

/**
 * A registration with a token that opens nothing any more, or never did. Where a root may register without any credential,
 * a token opens nothing in the first place: that a bad one is refused there is D-32. So where one is taken, a registration
 * with no credential at all shows whether the clauses of the text are broken or cannot be judged. It costs one registration.
 */
export async function tokenRefused(t: Trial, reply: Reply, ...musts: readonly string[]): Promise<void> {
  const isTaken = reply.status < 400;
  const isGuarded = t.session.target.network === 'mainnet' || (isTaken && (await refusesAnybody(t)));
  const decided = 'register.error.auth-invalid.token';
  if (isTaken && !isGuarded) {
    const assertion = t.shows(decided);
    assertion.refuses(reply);
    t.shows(...musts).unjudged('a root registers here without secret and token, so a token opens nothing (4.2)');
    return;
  }
  t.refused(reply, 'register/AUTH_INVALID', ...musts, decided);
}

/** Whether a root registration without secret and token is refused. */
async function refusesAnybody(t: Trial): Promise<boolean> {
  const reply = await t.call('register', { body: { name: t.word() } });
  return reply.status >= 400;
}
