/**
 * Makes text from outside safe to show: control characters, line separators and changes of writing direction become visible, and no line
 * of a log is a command to the service that keeps it. Every writer and every command shows text through here.
 */

import { jsonOf } from '../spec/formats.js';

const UNSEEN = /[\u2028\u2029]|\p{Bidi_Control}/gu;
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
 * separate lines or turn the direction of writing as `[U+202E]`, and what no XML may hold as U+FFFD. Nothing in it moves a cursor.
 */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(CONTROL, picture)
    .replace(UNSEEN, picture)
    .replace(NOT_A_CHARACTER, '\ufffd');
}

/** A character that `visible` changes, other than half a surrogate pair. */
export const HIDDEN = /* @__PURE__ */ new RegExp(`${CONTROL.source}|${UNSEEN.source}`, 'u');
const HIDDEN_IN_JSON = /* @__PURE__ */ new RegExp(
  `${CONTROL.source}|${UNSEEN.source}|(?<=#)#(?=\\[|vso\\[|teamcity\\[)`,
  'gu',
);

/** JSON of the same value in which nothing acts on a terminal or a log: such characters are written as escapes. */
export function quietJson(json: string): string {
  return json.replace(HIDDEN_IN_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The beginning of a line that GitHub (`::error::`, `##[error]`), Azure (`##vso[`) or TeamCity obeys when it is in a log. */
const LOG_COMMAND = /^([^\S\n]*):(?=:[^\n]*::)|#(?=#(?:\[|vso\[|teamcity\[))/gmu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of our own writers begin with it
const COLOUR = /(\u001b\[[0-9;]*m)/u;

/** Text for a terminal or a log, or JSON for it. `colour`: whether it may hold the colours of our own writers. */
export function printable(text: string, colour: boolean): string {
  const pieces = colour ? text.split(COLOUR) : [text];
  const isQuiet = pieces.every((piece, at) => at % 2 === 1 || !HIDDEN.test(piece));
  if (isQuiet && text.search(LOG_COMMAND) === -1) return text;
  if (/^\s*[[{]/u.test(text) && jsonOf(text) !== undefined) return quietJson(text);
  const shown = pieces.map((piece, at) => (at % 2 === 1 ? piece : visible(piece))).join('');
  return shown.replace(LOG_COMMAND, (sign: string, space: string | undefined) => {
    return `${space ?? ''}[U+00${sign.trim().charCodeAt(0).toString(16).toUpperCase()}]`;
  });
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
