/** A shell script of a transcript: what a check sent, to be sent again by curl. It sends nothing itself. */

import type { Exchange } from '../../results/conformance-result.js';
import { SECRET_FIELDS } from '../../results/secret-placeholder.js';
import { oneLine } from '../../results/visible.js';
import { shellWord } from '../text/shell-word.js';
import { clockMoves, clockMovesMs } from './clock-moves.js';
import { type ScriptValues, valuesOf } from './script-values.js';

/** Words about exchanges, by their places in a transcript from 0. */
export type Marks = ReadonlyMap<number, readonly string[]>;

/** Settings of a script. */
interface ScriptSettings {
  /** Lines that come first, such as one that reads a file of secrets. */
  readonly first?: readonly string[];
  /** The URL of the control API, where no request of the transcript has it. */
  readonly controlUrl?: string | undefined;
}

const CONTROL = /^(.*)\/control\/v1\//;

/**
 * The requests of a transcript as a script for a POSIX shell, every word quoted, which can be run again and again: names, addresses, wallets and
 * signatures are new, values that replies issue are read from the replies, and the clock moves as recorded. A secret that no reply issues is a
 * variable to set. Everything else is as recorded, and the first line names requests that may be refused for that. Empty for no request. `marks`:
 * comments before a request, by its place in the transcript from 0; the last line says them again. It runs in a shell of its own, which ends where a
 * variable, a value of a reply or a server is missing: pasted into a shell, it sends no request without it.
 */
export function curlScript(
  transcript: readonly Exchange[],
  marks: Marks = new Map(),
  { first = [], controlUrl }: ScriptSettings = {},
): string {
  const values = valuesOf(transcript);
  const words = new Words(values);
  const moves = clockMoves(transcript);
  const movesMs = movesOf(transcript);
  const lines = transcript.flatMap((exchange, at) => {
    const { request, response, failure } = exchange;
    const move = moves[at];
    const ms = movesMs[at];
    const moved = move === undefined ? [] : [ms === undefined ? `# ${move}` : `advance ${ms}  # ${move}`];
    if (request.method === 'NOTE') return [...moved, `# ${oneLine(failure ?? '')}`];
    const signatures = signatureLines(exchange, values, words);
    const parts = ['send -X', shellWord(request.method), words.word(request.url)];
    for (const [name, value] of Object.entries(request.headers)) parts.push('-H', words.word(`${name}: ${value}`));
    if (request.body !== undefined) parts.push('--data-raw', words.word(request.body));
    const came = response === undefined ? `no reply: ${oneLine(failure ?? '')}` : String(response.status);
    const read = (values.captured[at] ?? []).map(({ path, value, variable }) => {
      words.learn(value, variable);
      return `${variable}=$(value ${shellWord(path)})`;
    });
    const said = (marks.get(at) ?? []).map((text) => `# ${oneLine(text)}`);
    // A server that does not answer here again does what was recorded.
    const sent = response === undefined ? `${parts.join(' ')} || :` : parts.join(' ');
    return [...moved, ...signatures, ...said, `${sent}  # ${came}`, ...read];
  });
  const sends = transcript.some(({ request }) => request.method !== 'NOTE');
  const moving = movesMs.some((ms) => ms !== undefined);
  const known = transcript.map(({ request }) => CONTROL.exec(request.url)?.[1]).find((url) => url !== undefined);
  const control = moving ? { url: known ?? controlUrl } : undefined;
  const all = sends
    ? [
        madeAgain(transcript, values),
        '(',
        'set -eu',
        ...first,
        ...headOf(transcript, values, control),
        ...lines,
        ')',
        ...endOf(transcript, marks),
      ]
    : lines;
  return all.map((line) => `${line}\n`).join('');
}

/** The last line: expected and actual values of the last request that is marked. */
function endOf(transcript: readonly Exchange[], marks: Marks): readonly string[] {
  const at = Math.max(...[...marks].flatMap(([place, texts]) => (texts.length === 0 ? [] : [place])));
  const { request } = transcript[at] ?? {};
  if (request === undefined) return [];
  return [
    `# In the reply to ${oneLine(`${request.method} ${request.url}`)}: ${(marks.get(at) ?? []).map(oneLine).join('; ')}`,
  ];
}

/** The moves of the clock that a script makes: none where the requests themselves move it. */
function movesOf(transcript: readonly Exchange[]): readonly (number | undefined)[] {
  return transcript.some(({ request }) => request.url.endsWith('/clock/advance')) ? [] : clockMovesMs(transcript);
}

/** Signs again what a request sends the signature of. */
function signatureLines({ signed = [] }: Exchange, { wallets }: ScriptValues, words: Words): readonly string[] {
  return signed.flatMap(({ signature, text, wallet }) => {
    const file = wallets.find((each) => each.wallet.address === wallet.address)?.variable;
    const variable = words.sign(signature);
    return variable === undefined ? [] : [`${variable}=$(aips tools wallet sign "$dir/${file}" ${words.word(text)})`];
  });
}

/** Words for the shell in which each value that is known so far is its variable. */
class Words {
  readonly #known = new Map<string, string>();
  #signatures = 0;

  constructor({ made, asked, wallets, given }: ScriptValues) {
    for (const { value, variable } of [...made, ...asked]) this.learn(value, variable);
    for (const { wallet, variable } of wallets) {
      this.learn(wallet.address, variable);
      if (wallet.public_key_hex !== undefined) this.learn(wallet.public_key_hex, `${variable}_KEY`);
    }
    for (const name of given) this.learn(`[${name}]`, name);
  }

  learn(value: string, variable: string): void {
    this.#known.set(value, variable);
  }

  /** The variable of a signature that is to be made now; undefined for one that has been. */
  sign(signature: string): string | undefined {
    if (this.#known.has(signature)) return undefined;
    this.#signatures += 1;
    this.learn(signature, `SIGNED_${this.#signatures}`);
    return `SIGNED_${this.#signatures}`;
  }

  word(text: string): string {
    const found = [...this.#known.keys()].filter((value) => text.includes(value));
    // A longer value may hold a shorter one.
    const values = found.toSorted((a, b) => b.length - a.length).map((value) => value.replaceAll(SPECIAL, '\\$&'));
    const pieces = values.length === 0 ? [text] : text.split(new RegExp(`(${values.join('|')})`));
    const shown = pieces.map((piece, at) => {
      if (at % 2 === 1) return `"$${this.#known.get(piece)}"`;
      return piece === '' ? '' : shellWord(piece);
    });
    return shown.join('') || "''";
  }
}

const SPECIAL = /[.*+?^${}()|[\]\\]/g;

function madeAgain(transcript: readonly Exchange[], values: ScriptValues): string {
  const kept = keptIn(transcript, values);
  return `# Made again: names, addresses, wallets that sign, signatures, what replies hand out. As recorded: ${['all else', ...kept].join(', also ')}.`;
}

/** The begin of a script: its settings, what it makes, and the functions that its lines call. `control`: set where it moves the clock. */
function headOf(
  transcript: readonly Exchange[],
  values: ScriptValues,
  control: { readonly url: string | undefined } | undefined,
): readonly string[] {
  const { made, asked, wallets, captured } = values;
  const isRead = wallets.length > 0 || asked.length > 0 || captured.some((some) => some.length > 0);
  const given = [...new Set([...values.given, ...(control === undefined ? [] : ['CONTROL_TOKEN'])])].toSorted();
  return [
    ...given.map((name) => `: "\${${name}:?${meaningOf(name)}}"`),
    ...(control === undefined
      ? []
      : [
          `: "\${CONTROL_URL:${control.url === undefined ? '?the url of control in your target file' : `=${control.url}`}}"`,
        ]),
    'dir=$(mktemp -d) && trap \'rm -rf "$dir"\' EXIT',
    'send() { : >"$dir/reply"; curl -sS -D - -o "$dir/reply" "$@" && cat "$dir/reply" && echo; }',
    ...(isRead ? [VALUE] : []),
    ...(control === undefined ? [] : [ADVANCE]),
    ...(wallets.length > 0 ? [TOOL] : []),
    ...(asked.length > 0 ? [askOf(transcript)] : []),
    ...asked.map(({ variable, url, path }) => `${variable}=$(ask ${shellWord(url)} ${shellWord(path)})`),
    ...made.map(({ variable, kind }) => `${variable}=${kind === 'name' ? NEW_NAME : NEW_ADDRESS}`),
    ...wallets.flatMap(({ variable, wallet: { chain, public_key_hex } }) => [
      `${variable}=$(aips tools wallet new${chain === 'solana' ? '' : ` --chain ${chain}`} "$dir/${variable}")`,
      ...(public_key_hex === undefined ? [] : [`${variable}_KEY=$(value public_key_hex "$dir/${variable}")`]),
    ]),
  ];
}

/** The function that reads a value of a GET request, with the headers of the target file, which every request has. */
function askOf(transcript: readonly Exchange[]): string {
  const own = Object.entries(transcript[0]?.request.headers ?? {}).filter(([, value]) => value.startsWith('[HEADER_'));
  const headers = own.map(([name, value]) => ` -H ${shellWord(`${name}: `)}"$${value.slice(1, -1)}"`).join('');
  return `ask() { curl -sS -o "$dir/asked"${headers} "$1" && value "$2" "$dir/asked"; }`;
}

const NEW_NAME = "check-$(od -An -N6 -tx1 /dev/urandom | tr -d ' \\n')";
const NEW_ADDRESS = '10.$(od -An -N3 -tu1 /dev/urandom | awk \'{ print $1 "." $2 "." $3 % 254 + 1 }\')';
const ADVANCE = `advance() { curl -fsS -o "$dir/clock" -X POST "$CONTROL_URL/control/v1/clock/advance" -H "authorization: Bearer $CONTROL_TOKEN" -H 'content-type: application/json' --data-raw "{\\"ms\\":$1}"; }`;
const TOOL = `aips() { \${AIPS:-npx --yes aips-lab} "$@"; }`;
const VALUE = `value() { node -e 'const [path, file] = process.argv.slice(1); let at; try { at = JSON.parse(require("fs").readFileSync(file, "utf8")); } catch {} for (const key of path.split(".")) at = at?.[key]; if (at === undefined) { console.error("the reply has no " + path); process.exitCode = 1; } else console.log(at)' "$1" "\${2:-$dir/reply}"; }`;

/** The things in requests that a script cannot make again. */
function keptIn(transcript: readonly Exchange[], { given }: ScriptValues): readonly string[] {
  const sends = (pattern: RegExp): boolean => transcript.some(({ request }) => pattern.test(request.body ?? ''));
  const signed = new Set(transcript.flatMap(({ signed: made = [] }) => made.map(({ signature }) => signature)));
  const unsigned = transcript.some(({ request: { body = '' } }) =>
    [...body.matchAll(/_signature":"([^"]+)"/g)].some(([, signature = '']) => !signed.has(signature)),
  );
  return [
    ...(sends(/"spot_checks":/) ? ['proofs of beats'] : []),
    ...(unsigned ? ['signatures that are not as the suite made them'] : []),
    ...(sends(/"method":"sendTransaction"/) ? ['transactions'] : []),
    ...(transcript.some(({ request }) => request.method === 'PUT' && request.url.endsWith('/partner/webhook'))
      ? ["the URL of the suite's receiver of webhooks"]
      : []),
    ...(given.some((name) => /^(ALTERED|SHARED|OTHER)_/.test(name)) ? ['agents of other checks'] : []),
    ...(transcript.some(({ request }) => request.method === 'NOTE') ? ['a gap'] : []),
  ];
}

/** The field that hands out the secret of each variable. */
const HANDED_OUT = Object.fromEntries(Object.entries(SECRET_FIELDS).map(([field, name]) => [name, field]));

function meaningOf(name: string): string {
  if (name.startsWith('ALTERED_KEY_')) return 'a key that the check made of another';
  if (name.startsWith('SHARED_API_KEY')) return 'the api_key of an agent that checks of the run share';
  if (name.startsWith('OTHER_')) return 'what a reply to another check hands out';
  if (name === 'PAYMENT_KEY') return 'the key of the wallet that pays';
  const [, kind = '', number] = /^(.+)_(\d+)$/.exec(name) ?? [];
  const field = HANDED_OUT[kind];
  return field === undefined
    ? 'from your target file'
    : `${field} number ${number} that the replies to the requests below hand out`;
}
