/** Makes text from outside safe to show: control characters and changes of writing direction become visible. */

const BIDI_CONTROL = /[\u202a-\u202e\u2066-\u2069]/gu;
// XML 1.0 forbids these even as references; a terminal obeys some of them, and a reader sees none.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this replaces
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;
const NOT_A_CHARACTER = /[\ufffe\uffff]|\p{Surrogate}/gu;

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/**
 * Text from outside as a reader should see it: line ends as `\n`, control characters as their pictures (`␀`), characters that
 * turn the direction of writing as `[U+202E]`, and what no XML may hold as U+FFFD. Nothing in it moves a cursor.
 */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(CONTROL, picture)
    .replace(BIDI_CONTROL, picture)
    .replace(NOT_A_CHARACTER, '\ufffd');
}

/** On one line: every run of white space is one space. */
export function oneLine(text: string): string {
  return visible(text).replace(/\s+/gu, ' ').trim();
}

/** The first `max` UTF-16 units and how many were left off; never half a surrogate pair. */
export function clipped(text: string, max: number): { readonly text: string; readonly left: number } {
  if (text.length <= max) return { text, left: 0 };
  const last = text.charCodeAt(max - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? max - 1 : max;
  return { text: text.slice(0, end), left: text.length - end };
}

/** One line of at most `max` characters, with an ellipsis where something is missing. */
export function shortLine(text: string, max: number): string {
  const line = oneLine(text);
  return line.length <= max ? line : `${clipped(line, max - 1).text}…`;
}
