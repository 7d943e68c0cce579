/**
 * Encodes bytes as text that HTML can hold without escapes, in fewer letters than Base64: two letters of an alphabet of 91 hold
 * 13 bits, two letters of Base64 hold 12. The alphabet is the printable characters of ASCII without space, `<`, `>` and `&`.
 */

const LETTERS = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)).filter((l) => !'<>&'.includes(l));
const PAIR_BITS = 13;
/** The bits that a single letter at the end can hold. */
const SINGLE_BITS = 6;

/** Encodes bytes. */
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

/** Decodes a text that `denseText` made. */
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
