/** Registration of roots without a wallet (4.2, mode 1): its reply and its names. Metadata is in register-metadata.ts, limits are in register-limits.ts. */

import { lookup } from '../moves/lookup.js';
import { register } from '../moves/register.js';
import { localeName, type NameLocale, nameLocales } from '../steps/locale-names.js';

import type { WrittenCheck } from '../trial/check.js';

/** Clauses that are broken by any refusal of a registration with only a name. */
const bare = ['service.register.free', 'register.metadata.optional', 'agent.optional-metadata'];

const registerRoot: WrittenCheck = {
  id: 'register/root',
  title:
    'A registration with only a name returns the agent object of a root without a wallet; two agents may have one name',
  async run(t) {
    const name = t.word();
    const reply = t.accepted(await t.send(register(t.target, { name })), ...bare);
    await t.send(lookup('status', reply.string('hash')));
    await t.call('init', { key: reply.string('api_key') });
    // The text does not say whether two agents may have one name.
    await t.send(register(t.target, { name }));
    t.accepted(await t.send(register(t.target, { name: t.word(), colour: 'blue', depth: 7 })), 'body.unknown-fields');
  },
};

const registerNameMissing: WrittenCheck = {
  id: 'register/name-missing',
  title: 'A registration with a missing, empty, blank, too long or non-string name is refused',
  async run(t) {
    const { nameCharsMin, nameCharsMax } = t.protocol.agent;
    const bad = [undefined, 7, '   ', 'n'.repeat(nameCharsMin - 1), 'n'.repeat(nameCharsMax + 1)];
    for (const name of bad) await t.send(register(t.target, { name, metadata: {} }));
    for (const name of [
      ` ${t.hex(nameCharsMin).slice(0, nameCharsMin)} `,
      'n'.repeat(nameCharsMin),
      'n'.repeat(nameCharsMax),
    ])
      t.accepted(await t.send(register(t.target, { name })), 'name.length');
  },
};

const registerNameCodePoints: WrittenCheck = {
  id: 'register/name-code-points',
  title: 'A name of 64 code points is accepted, one of 65 is refused',
  replacedBy: 'nameCharacters',
  async run(t) {
    const { nameCharsMax } = t.protocol.agent;
    await t.send(register(t.target, { name: '𝒏'.repeat(nameCharsMax + 1) }));
    t.accepted(await t.send(register(t.target, { name: '𝒏'.repeat(nameCharsMax) })), 'body.text.code-points');
  },
};

/** Names in many scripts, and strings that databases and serializers often mangle. */
const names: Readonly<Record<string, readonly string[]>> = {
  plain: ['Agent 7', 'worker_12.eu-west', '007', 'UPPER lower', '-.-'],
  latin: ['Zoë Ångström-Øst', 'Nguyễn Thị Ánh', 'Łucja Żółć', 'İbrahim Çağlar', "Siobhán O'Brien"],
  european: ['Ελένη Παπαδοπούλου', 'Юлия Ёжикова', 'Նարեկ Սարգսյան', 'ნინო ბერიძე'],
  'right-to-left': ['محمد عبد الرحمن', 'שרה בן־דוד', 'فاطمه زهرا', 'اُردُو نام'],
  brahmic: ['अनीता शर्मा', 'தமிழ்ச்செல்வி', 'রবীন্দ্রনাথ', 'ธนพร วงศ์'],
  'east-asian': ['李小龍', '山田 太郎', '김민준', '𠮷野家'],
  emoji: ['👩🏽‍🚀 Ada', '🇦🇶', 'e\u0301\u0327', 'ﬁrst №1'],
  markup: ['<b>&amp;</b>', '"quoted" \\ back', "'; DROP TABLE agents;--", '%s {{x}} $HOME'],
  words: ['null', 'undefined', 'true', 'NaN', '__proto__', '[object Object]'],
};

const registerNames = Object.entries(names).map(
  ([word, some]): WrittenCheck => ({
    id: `register/names-${word}`,
    title: `Names like ${some[0]} are accepted and returned unchanged`,
    async run(t) {
      for (const name of some) {
        const reply = await t.send(register(t.target, { name }));
        await t.part(
          async () => void t.accepted(reply, word === 'plain' ? 'register.no-wallet.body.name' : 'name.text'),
        );
      }
    },
  }),
);

/** The number of locales in a run: at most as many as an address may register agents in an hour. */
const LOCALES_TAKEN = 8;

const registerNamesLocales: WrittenCheck = {
  id: 'register/names-locales',
  title: 'Names of people in eight languages, drawn from the seed, are returned unchanged',
  async run(t) {
    const left: NameLocale[] = [...nameLocales];
    for (let i = 0; i < LOCALES_TAKEN; i += 1) {
      const [locale] = left.splice(Number.parseInt(t.hex(4), 16) % left.length, 1);
      if (locale === undefined) throw new Error('there are fewer locales than a run takes');
      // Names of a locale are a large file: a busy machine reads it slowly.
      const seed = Number.parseInt(t.hex(4), 16);
      const name = await t.busyWith(() => localeName(locale, seed, t.protocol.agent.nameCharsMax));
      await t.part(async () => void t.accepted(await t.send(register(t.target, { name })), 'name.text'));
    }
  },
};

export const registerChecks: readonly WrittenCheck[] = [
  registerRoot,
  registerNameMissing,
  registerNameCodePoints,
  ...registerNames,
  registerNamesLocales,
];
