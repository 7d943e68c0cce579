/**
 * Bytes as text that may stand in HTML as it is, in fewer letters than Base64: two letters of 91 are 13 bits, where two of Base64
 * are 12. The letters are the printable ones of ASCII but space, `<`, `>` and `&`.
 */

const LETTERS = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)).filter((l) => !'<>&'.includes(l));
const PAIR_BITS = 13;
/** At the end so many bits stand in one letter. */
const SINGLE_BITS = 6;

/** The bytes as letters. */
export function denseText(bytes: Uint8Array): string {
  const letters: string[] = [];
  let bits = 0;
  let count = 0;
  const put = (): void => {
    letters.push(LETTERS[bits % LETTERS.length] ?? '');
    if (count > SINGLE_BITS) letters.push(LETTERS[Math.floor(bits / LETTERS.length)] ?? '');
  };
  for (const byte of bytes) {
    bits |= byte << count;
    count += 8;
    if (count < PAIR_BITS) continue;
    const rest = bits >> PAIR_BITS;
    bits &= (1 << PAIR_BITS) - 1;
    put();
    bits = rest;
    count -= PAIR_BITS;
  }
  if (count > 0) put();
  return letters.join('');
}

/** The bytes of a text that `denseText` wrote. */
export function bytesOfDenseText(text: string): Uint8Array {
  const values = new Uint8Array(128);
  for (const [value, letter] of LETTERS.entries()) values[letter.charCodeAt(0)] = value;
  const valueAt = (at: number): number => values[text.charCodeAt(at)] ?? 0;
  const pairs = Math.floor(text.length / 2);
  const bytes = new Uint8Array(Math.floor((pairs * PAIR_BITS + (text.length % 2) * SINGLE_BITS) / 8));
  let bits = 0;
  let count = 0;
  let place = 0;
  for (let at = 0; at < text.length; at += 2) {
    const isPair = at + 1 < text.length;
    bits |= (valueAt(at) + (isPair ? valueAt(at + 1) * LETTERS.length : 0)) << count;
    count += isPair ? PAIR_BITS : SINGLE_BITS;
    for (; count >= 8; count -= 8) {
      if (place < bytes.length) bytes[place++] = bits & 0xff;
      bits >>= 8;
    }
  }
  return bytes;
}
