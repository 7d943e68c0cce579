/** Names of people in many languages, from a seed. Names that are easily mangled are chosen by hand, in the checks. */

import type { Faker } from '@faker-js/faker';

/** Locales of many scripts, one for each, in which names have other letters than in English. */
export const nameLocales = [
  ...(['ar', 'cs_CZ', 'da', 'de', 'dv', 'el', 'es_MX', 'fa', 'fr', 'he', 'hu', 'hy'] as const),
  ...(['ja', 'ka_GE', 'ko', 'ku_ckb', 'lv', 'mk', 'nb_NO', 'ne', 'pl', 'pt_BR', 'ro'] as const),
  ...(['ru', 'sk', 'sv', 'th', 'tr', 'uk', 'ur', 'vi', 'zh_CN', 'zh_TW'] as const),
] as const;
export type NameLocale = (typeof nameLocales)[number];

/** Names of these letters alone are not specific to a locale. */
const PLAIN = /^[A-Za-z0-9 _.-]*$/;
/** The number of draws for one name: in some languages nine of ten names are plain. */
const TRIES = 1_000;

/**
 * A name of 2 to `charsMax` code points with a letter beyond plain ASCII, the same for the same seed (a whole number of 32 bits). Only
 * the locale that is asked for is loaded.
 */
export async function localeName(locale: NameLocale, seed: number, charsMax: number): Promise<string> {
  const { faker } = (await import(`@faker-js/faker/locale/${locale}`)) as { readonly faker: Faker };
  // The generator is shared, so nothing may run between setting the seed and drawing the name.
  faker.seed(seed);
  for (let i = 0; i < TRIES; i += 1) {
    const name = faker.person.fullName().trim();
    const { length } = [...name];
    if (length >= 2 && length <= charsMax && !PLAIN.test(name)) return name;
  }
  throw new Error(`${locale} has no name of at most ${charsMax} characters beyond ASCII`);
}
