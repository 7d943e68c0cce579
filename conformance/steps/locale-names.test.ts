import { describe, expect, it } from 'vitest';
import { localeName, nameLocales } from './locale-names.js';

describe('names of locales', () => {
  it.each(nameLocales)('%s have letters beyond ASCII, and follow from the seed', async (locale) => {
    const made = [];
    for (const seed of [1, 2, 3, 1]) made.push(await localeName(locale, seed, 64));
    expect(made[3]).toBe(made[0]);
    expect(new Set(made).size).toBeGreaterThan(1);
    for (const name of made) {
      expect(name).toMatch(/[^\u0020-\u007e]/u);
      expect([...name].length).toBeLessThanOrEqual(64);
      expect(name).toBe(name.trim());
    }
  });

  it('are written in eleven scripts', async () => {
    const scripts = [
      'Arabic',
      'Thaana',
      'Greek',
      'Hebrew',
      'Armenian',
      'Georgian',
      'Hangul',
      'Cyrillic',
      'Devanagari',
      'Thai',
      'Han',
    ];
    const names = await Promise.all(nameLocales.map((locale) => localeName(locale, 7, 64)));
    for (const script of scripts) {
      const inScript = new RegExp(`\\p{Script=${script}}`, 'u');
      expect(
        names.some((name) => inScript.test(name)),
        script,
      ).toBe(true);
    }
  });

  it('that cannot be are told', async () => {
    await expect(localeName('zh_CN', 1, 1)).rejects.toThrow('zh_CN has no name of at most 1 characters beyond ASCII');
  });
});
