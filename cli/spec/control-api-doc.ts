/**
 * Writes docs/control-api.md: the calls of the control API, and what the suite cannot judge without each. Both follow from
 * data, the calls of the reference and the needs of the checks; the text around the tables is here.
 */

import { z } from 'zod';
import { allChecks } from '../../conformance/checks/index.js';
import { checksByClause } from '../../conformance/judge/coverage.js';
import { checksIn } from '../../conformance/run/in-dialect.js';
import { profileNamed } from '../../conformance/run/profile.js';
import { selectChecks } from '../../conformance/run/select.js';
import type { Target } from '../../conformance/target/target.js';
import type { Control } from '../../conformance/trial/control.js';
import { askedOffers, lackOf } from '../../conformance/trial/needs.js';
import type { ControlCall } from '../../reference/http/control/call.js';
import { controlCalls } from '../../reference/http/control/calls.js';
import { countText } from '../../results/numbers.js';
import { referenceTarget } from '../../runs/server/reference-process.js';
import { dialects } from '../../spec/dialect.js';

/** The checks that a run against a target can make, and the clauses that they judge. */
interface Judgeable {
  readonly checks: ReadonlySet<string>;
  readonly clauses: number;
}

const ABSENT = 'http://127.0.0.1:1';
const URLS = { base_url: ABSENT, beats_url: ABSENT, control_url: ABSENT, control_token: 'none' };

/** A target file that offers everything: the only thing that varies is which calls its control API has. */
const everything = (): Target => referenceTarget(URLS, ['webhooks: { listen: 127.0.0.1:0 }']);

/** The checks of a run without options. */
const usualChecks = checksIn(selectChecks(allChecks, { profile: profileNamed('full') }), dialects.service);

/** The checks and clauses that can be judged of a target whose control API has these calls; null: it has none. */
export async function judgeableWith(target: Target, calls: readonly string[] | null): Promise<Judgeable> {
  const { control: _, ...uncontrolled } = target;
  const judged: Target = calls === null ? uncontrolled : target;
  // A clock that does not move by itself shows the same time twice, which is enough here.
  const moved = Promise.resolve({ nowMs: 0, anchorIndex: 0 });
  const control = {
    capabilities: async () => ({ calls: new Set(calls), transfersMax: 1 }),
    advance: () => moved,
  } as unknown as Control;
  const asking = { waitSec: 0, wallMs: () => 0, waitMs: () => Promise.resolve() };
  const offers = await askedOffers(judged, calls === null ? undefined : control, asking);
  const checks = new Set(
    usualChecks
      .filter((check) => lackOf(check, judged, offers, { allowWrites: true }) === undefined)
      .map(({ id }) => id),
  );
  const clauses = [...checksByClause(usualChecks).values()].filter((ids) => ids.some((id) => checks.has(id)));
  return { checks, clauses: clauses.length };
}

const nameOf = ({ method, path }: ControlCall): string => `${method.toUpperCase()} ${path}`;

function cell(text: string): string {
  return text.replaceAll(/[\\|<*_]/g, (mark) => `\\${mark}`);
}

/** The groups of checks that are lost, by the part of their ids before the slash. */
function groupsOf(ids: Iterable<string>): string {
  const groups = new Set([...ids].map((id) => id.slice(0, id.indexOf('/'))));
  const shown = [...groups].sort();
  return shown.length <= GROUPS_MAX
    ? shown.join(', ')
    : `${shown.slice(0, GROUPS_MAX).join(', ')} and ${shown.length - GROUPS_MAX} more`;
}

const GROUPS_MAX = 6;

/** One row for each call: its purpose, and what a server that has all calls but this one is not judged on. */
async function callTable(): Promise<readonly string[]> {
  const names = controlCalls.map(({ path }) => path);
  const target = everything();
  const whole = await judgeableWith(target, names);
  const rows = await Promise.all(
    controlCalls.map(async (call) => {
      const rest = await judgeableWith(
        target,
        names.filter((name) => name !== call.path),
      );
      const lost = [...whole.checks].filter((id) => !rest.checks.has(id));
      const clauses = whole.clauses - rest.clauses;
      const loss =
        lost.length === 0
          ? 'nothing'
          : `${countText(lost.length, 'check')} (${groupsOf(lost)}), ${countText(clauses, 'clause')}`;
      return `| \`${nameOf(call)}\` | ${cell(call.purpose)} | ${loss} |`;
    }),
  );
  return ['| call | purpose | without it, these are not tested |', '|---|---|---|', ...rows];
}

/** The calls in an order in which a server may implement them, and what can be judged after each step. */
const STEPS: readonly (readonly [text: string, calls: readonly string[] | null])[] = [
  ['no control API', null],
  ['`clock/advance`', ['clock/advance']],
  ['and `ledger/wallets`, `ledger/transfers`', ['clock/advance', 'ledger/wallets', 'ledger/transfers']],
  ['and `admin-keys`, `partners`', ['clock/advance', 'ledger/wallets', 'ledger/transfers', 'admin-keys', 'partners']],
  ['all calls', controlCalls.map(({ path }) => path)],
];

async function stepTable(): Promise<readonly string[]> {
  const rows = await Promise.all(
    STEPS.map(async ([text, calls]) => {
      const { checks, clauses } = await judgeableWith(everything(), calls);
      return `| ${text} | ${checks.size} | ${clauses} |`;
    }),
  );
  return ['| the control API has | checks that run | clauses that they judge |', '|---|---:|---:|', ...rows];
}

const [PAYER, PAYEE] = ['GfRA1qaYbNEfBDFVxn2z2ZgmD4kDLxvHLrVGuhfnnByV', '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'];

/** An example of each call, with its body; `AGENT`, `KEY`, `REF` and `FLAG` are of earlier replies. */
export const EXAMPLES: readonly (readonly [name: string, body: string])[] = [
  ['POST clock/advance', '{"anchors": 61}'],
  ['POST clock/advance', '{"ms": 0}'],
  ['POST anchors/stall', '{"on": true}'],
  ['POST ledger/wallets', `{"address": "${PAYER}", "lamports": 1000000}`],
  ['POST ledger/transfers', `{"from": "${PAYER}", "to": "${PAYEE}", "lamports": 100000}`],
  ['POST ledger/transfers', `{"transfers": [{"from": "${PAYER}", "to": "${PAYEE}", "lamports": 100000}]}`],
  ['POST agents/AGENT/revoke-key', '{}'],
  ['POST admin-keys', '{}'],
  ['POST admin-keys/expire', '{"key": "KEY"}'],
  ['POST partners', '{"name": "partner"}'],
  ['POST partner-keys/expire', '{"key": "KEY"}'],
  ['POST partners/REF/suspend', '{}'],
  ['POST flags/FLAG/review', '{"outcome": "sustain"}'],
  ['PUT fees', '{"sigil_narrow_task": 50000000}'],
  ['POST webhooks/flush', '{}'],
  ['GET fingerprint', ''],
  ['POST reset', '{"seed": 7}'],
];

/** A schema in short: `{key: string, expires?: number}`. */
function shapeText(schema: z.core.JSONSchema._JSONSchema): string {
  if (typeof schema === 'boolean') return 'anything';
  if (schema.anyOf !== undefined) return schema.anyOf.map(shapeText).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.type === 'array') return `[${shapeText((schema.items ?? true) as typeof schema)}, …]`;
  if (schema.type !== 'object') return String(schema.type ?? 'anything');
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, of]) => `${name}${schema.required?.includes(name) === true ? '' : '?'}: ${shapeText(of)}`,
  );
  return `{${fields.join(', ')}}`;
}

const shapeOf = (schema: z.ZodType): string =>
  `\`${shapeText(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))}\``;

/** The body and the reply of each call, from the schemas that the reference checks. */
function shapeTable(): readonly string[] {
  const rows = controlCalls.map(
    (call) => `| \`${nameOf(call)}\` | ${call.body === null ? '' : shapeOf(call.body)} | ${shapeOf(call.reply)} |`,
  );
  return ['| call | body | reply |', '|---|---|---|', ...rows];
}

const INTRODUCTION = `<!-- Generated by \`npm run docs\` from the control calls and the checks. Change cli/spec/control-api-doc.ts, not this file. -->

# The control API

A test may do what a client may not: move the clock, mint money, make admin keys, review flags. These are the calls of the control
API, under \`/control/v1\`, on a port of its own. \`aips serve\` has all of them on loopback (\`--port\` and two, \`--control-token\`). Give
your own server's test mode the same calls, or some of them, and name the API in the [target file](conform.md#the-target-file): the suite then
judges more.

- Every call takes \`Authorization: Bearer <token>\`; without it, it answers 401 AUTH_MISSING.
- \`GET capabilities\` answers \`{"calls": ["clock/advance", …]}\`: the paths of the calls that the server has, written as in the table. It
  is the one call that every control API needs.
- A call answers any 2xx with its reply. Any other status makes the check that made the call *inconclusive*, not failed.
- \`GET openapi.json\` describes the bodies, replies and refusals of the reference.

\`\`\`sh
C=http://127.0.0.1:8789/control/v1
call() { curl -s -X "$1" "$C/$2" -H "Authorization: Bearer lab" -H 'Content-Type: application/json' -d "$3"; }
call GET capabilities
${EXAMPLES.map(([name, body]) => `call ${name}${body === '' ? '' : ` '${body}'`}`).join('\n')}
\`\`\`
`;

const STEPS_TEXT = `
## What to implement first

Counted for a devnet target file that offers everything else: payments by the control API, a beats service, client addresses, webhooks.
`;

const CALLS_TEXT = `
## The calls

A path with \`:hash\`, \`:ref\` or \`:id\` names an agent, a partner or a flag. The last column counts, for a server that has all other calls, the
checks that are not tested, with their groups, and the clauses that no other check judges. Some checks that need
\`clock/advance\` can also [wait in real time](conform.md#without-a-clock-to-move).
`;

const NOTES = `
## What the suite expects of a call

- **clock/advance** takes \`{ms}\` or \`{anchors}\` and answers \`{now_ms, anchor_index}\`. \`{ms: 0}\` moves nothing and shows the time. The clock
  must stand still between calls: the suite reads it twice, and treats a clock that moves by itself as one that cannot be moved.
- **ledger/wallets** mints; **ledger/transfers** pays from one wallet to another and answers \`{signature}\`, which a fee then names.
  \`status\` is \`confirmed\` (the default), \`pending\` or \`failed\`. Where \`capabilities\` says \`"transfers_max": n\`, one call makes up to n
  of them, all or none: \`{transfers: [{from, to, lamports}, …]}\` answers \`{signatures: [string, …]}\`. Elsewhere the suite makes them one by one.
- **partners** answers \`{key, ref}\`; a registration whose body has this \`ref\` is under that partner. **webhooks/flush** attempts every delivery
  that is due and answers when none is under way.
- **PUT fees** replaces the whole table; \`{}\` goes back to the defaults.
- **fingerprint** and **reset** are for tests of your own; the suite calls neither.

A reply is not believed. Once a run the suite looks at the effect of a call as a client sees it: moving the clock has to move
\`GET /beat/anchor\` and the time of new agents by as much; a stall has to stop it and to end; a key has to be taken or refused, a mint and a
transfer to be there, a review and a fee table to apply as soon as the call has answered. Where that is not so, comes late, or the call
fails in any way, the checks that need the call are *inconclusive*, nothing that they saw counts against the server, and their reason names
the call. The rest of the run goes on. Some faults of a call look like faults of the server to every client, and count as such: a key that
is never refused, a transfer that no fee finds, a review or a fee table that never applies, a flush that delivers late.

Where the control API itself is out of reach, or does not answer \`GET capabilities\`, what needs no call of it is judged all the same. A key
of the target file (\`admin_key\`, \`partner_key\`) that every endpoint refuses makes its checks inconclusive, too.
`;

/** The text of docs/control-api.md. */
export async function controlApiMarkdown(): Promise<string> {
  const steps = [STEPS_TEXT, ...(await stepTable())].join('\n');
  const calls = [CALLS_TEXT, ...(await callTable())].join('\n');
  const shapes = ['\n## Bodies and replies\n', ...shapeTable()].join('\n');
  return `${INTRODUCTION}${steps}\n${calls}\n${shapes}\n${NOTES}`;
}
