import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOSTILE } from '../../test/fixtures/results.js';
import { packTexts } from './packed-texts.js';
import { unpackTexts } from './unpacked-texts.js';

const HASH = 'c0ffee00'.repeat(8);
const TOKEN = tokenOf('ünd');

function tokenOf(type: string): string {
  return Buffer.from(JSON.stringify({ type, from_hash: HASH, beats: 1000 })).toString('base64url');
}

describe('packTexts', () => {
  it.each([
    ['no text', []],
    ['nothing', ['']],
    ['the same twice', ['a 1', 'a 1']],
    ['numbers with zeros in front, and none', ['id 007', 'id 0', 'id 7', 'id 7', 'id ']],
    ['hashes, known and new', [`x ${HASH}`, `y ${HASH} ${HASH.replace('c', 'd')}`, `0x${HASH}`]],
    ['hexadecimal of an odd length, in capitals, and short', [HASH.slice(1), HASH.toUpperCase(), 'c0ffee']],
    ['digits alone that are also hexadecimal', ['12'.repeat(16), '0'.repeat(64)]],
    ['Base64 and base58', [`${'Ab+/9'.repeat(17)}9==`, '5Jw1xhM'.repeat(12), `${'eyJ0eXAi-_'.repeat(20)}.x`]],
    ['the marks themselves', ['\ue000', '\ue001 1 \ue002', '\ue003', '\ue004 \ue005', '\ue004\ue005\ue004', '\ue005']],
    ['JSON in Base64url', [`{"receipt":"${TOKEN}.abc"}`, `${TOKEN}=`, `a${TOKEN}`, `${TOKEN.slice(0, -1)}`]],
    ['JSON in Base64url of what has the marks in it', [tokenOf('\ue000\ue004\ue005'), `\ue004${TOKEN}`]],
    ['a great deal of JSON in Base64url', [tokenOf('x'.repeat(400_000))]],
    ['Base64url that is no text', [`eyJ${'_-8'.repeat(30)}`]],
    ['zero bytes, line ends and half surrogate pairs', ['\0', 'a\r\n\0b', '\ud800', '\udc00 1 \ud800']],
    ['hostile text', [HOSTILE, JSON.stringify(HOSTILE)]],
  ])('keeps %s', (_, texts) => {
    expect(unpackTexts(packTexts(texts))).toEqual(texts);
  });

  it('keeps any texts', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\ue000', '\ue001', '\ue004', '\ue005', TOKEN, ',', '\0', '0x', '-', HASH, '007'),
      fc.stringMatching(/^[0-9a-f]{14,20}$/),
      fc.nat().map(String),
      fc.base64String({ minLength: 36, maxLength: 120 }),
    );
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
        expect(unpackTexts(packTexts(texts))).toEqual(texts);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  it('says once what repeats, and hexadecimal by half', () => {
    const texts = Array.from({ length: 1000 }, (_, at) => `{"hash":"0x${HASH}","beat":${at}}`);
    expect(packTexts(texts).length).toBeLessThan(1000 * '0,1,123,'.length + 2000);
    const hashes = Array.from({ length: 100 }, (_, at) => `${String(at).padStart(3, 'f')}${HASH.slice(3)}`);
    expect(packTexts(hashes).length).toBeLessThan(100 * (32 + '32,0,0,'.length) + 200);
  });

  it('says once what stands in JSON in Base64url too', () => {
    const texts = Array.from({ length: 100 }, (_, at) => tokenOf(`a${at}`));
    expect(packTexts([HASH, ...texts]).length).toBeLessThan(100 * '0,123,1,0,1'.length + 400);
  });

  it('gives the same bytes for the same texts', () => {
    const texts = [HASH, 'a 1 b', HOSTILE];
    expect(packTexts(texts)).toEqual(packTexts([...texts]));
  });
});
