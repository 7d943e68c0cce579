/** Bytes as text of 85 characters without a special meaning in HTML: five for four bytes, where Base64 takes five and a third. */

/** The printable characters of ASCII without those that HTML, JavaScript and templates give a meaning to. */
const ALPHABET = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))
  .join('')
  .replaceAll(/["&'<>\\`$~]/g, '');
const BASE = ALPHABET.length;
const [BYTES, LETTERS] = [4, 5];

/** The last group may have fewer bytes: it takes one letter more than it has bytes. */
export function toBase85(bytes: Uint8Array): string {
  const groups: string[] = [];
  for (let at = 0; at < bytes.length; at += BYTES) {
    let value = 0;
    for (let each = 0; each < BYTES; each += 1) value = value * 256 + (bytes[at + each] ?? 0);
    let letters = '';
    for (let each = 0; each < LETTERS; each += 1) {
      letters = ALPHABET.charAt(value % BASE) + letters;
      value = Math.floor(value / BASE);
    }
    groups.push(letters.slice(0, Math.min(BYTES, bytes.length - at) + 1));
  }
  return groups.join('');
}

/** The bytes of a text that `toBase85` has made. */
export function fromBase85(text: string): Uint8Array<ArrayBuffer> {
  const digits = new Map([...ALPHABET].map((letter, digit) => [letter, digit]));
  const bytes = new Uint8Array(Math.floor((text.length * BYTES) / LETTERS));
  for (let at = 0, to = 0; at < text.length; at += LETTERS, to += BYTES) {
    let value = 0;
    // A short last group lacks digits: the highest in their places gives its bytes back as they were.
    for (let each = 0; each < LETTERS; each += 1)
      value = value * BASE + (digits.get(text.charAt(at + each)) ?? BASE - 1);
    for (let each = BYTES - 1; each >= 0; each -= 1) {
      if (to + each < bytes.length) bytes[to + each] = value % 256;
      value = Math.floor(value / 256);
    }
  }
  return bytes;
}
