/** `aips watch FILE…`: judges files of traffic, of one deployment. */

import { settingsOf } from '../../conformance/target/modelled.js';
import type { Target } from '../../conformance/target/target.js';
import { hiddenOf } from '../../conformance/trial/session.js';
import type { WatchResult } from '../../results/watch-result.js';
import { type Addresses, addressesIn } from '../../watch/assumed.js';
import type { Demanded } from '../../watch/conclude.js';
import type { Observed } from '../../watch/exchange.js';
import type { ExchangesHead } from '../../watch/ndjson.js';
import { Failure } from '../host/failure.js';
import { readRecording } from '../suite/record.js';
import { isTape, tapesIn } from '../suite/tape-files.js';
import { readTarget } from '../suite/target-file.js';
import { exchangesIn, isExchangesHead } from './files.js';
import { exchangesOfRecording } from './recording.js';
import { requireScopes, Session, type SessionSetUp } from './session.js';

/** How traffic is judged. */
export interface WatchFlags {
  readonly target?: string | undefined;
  readonly protocol?: string | undefined;
  readonly only?: readonly string[] | undefined;
  readonly out?: string | undefined;
  readonly demanded: Demanded;
}

/** This many exchanges show where the services are. */
const SHOWING = 500;

/** Judges files. Throws a Failure where one cannot be read. */
export async function watchFiles(files: readonly string[], flags: WatchFlags): Promise<WatchResult> {
  requireScopes(flags.only ?? []);
  let session: Session | undefined;
  try {
    for (const file of tapesIn(files)) {
      const use = (setUp: () => SessionSetUp): Session => {
        session ??= new Session(setUp());
        return session;
      };
      if (isTape(file)) watchRecording(file, flags, use);
      else await watchFile(file, flags, use);
    }
    if (session === undefined) throw new Failure(`${files.join(', ')}: holds no exchange: nothing was judged.`);
    return session.end(flags.demanded);
  } finally {
    session?.close();
  }
}

type Use = (setUp: () => SessionSetUp) => Session;

function watchRecording(file: string, flags: WatchFlags, use: Use): void {
  const recording = readRecording(file);
  if (flags.target === undefined && flags.protocol !== undefined)
    throw new Failure(
      `${file}: a recording has numbers of its own: give --target FILE with --protocol to replace them.`,
    );
  const target = flags.target === undefined ? recording.target : readTarget(flags);
  const session = use(() => setUpFor(target, flags, []));
  for (const observed of exchangesOfRecording(recording, file)) session.add(observed);
}

async function watchFile(file: string, flags: WatchFlags, use: Use): Promise<void> {
  let head: ExchangesHead | undefined;
  let first: Observed[] | undefined = [];
  let session: Session | undefined;
  const begin = (): Session => {
    session ??= use(() => (head === undefined ? setUpBy(file, first ?? [], flags) : setUpOf(head, flags)));
    for (const observed of first ?? []) session.add(observed);
    first = undefined;
    return session;
  };
  for await (const item of exchangesIn(file)) {
    if (isExchangesHead(item)) head ??= item;
    else if (first === undefined) session?.add(item);
    else if (first.push(item) >= SHOWING || flags.target !== undefined || head !== undefined) begin();
  }
  if (first !== undefined && first.length > 0) begin();
}

/** The set-up of a target file, or of what the first exchanges show. */
function setUpBy(file: string, first: readonly Observed[], flags: WatchFlags): SessionSetUp {
  if (flags.target !== undefined) return setUpFor(readTarget(flags), flags, []);
  const addresses = addressesIn(first);
  if (addresses === undefined) {
    const origins = [...new Set(first.map(({ request }) => new URL(request.url).origin))].slice(0, 5);
    throw new Failure(`${file}: no request has a path of the specification. It has requests to ${origins.join(', ')}.`);
  }
  return assumedSetUp(addresses, flags, 'the addresses, from the paths of the requests');
}

/** The set-up of a file that says where the services were. */
function setUpOf(head: ExchangesHead, flags: WatchFlags): SessionSetUp {
  const { base_url: baseUrl, beats_url: beatsUrl = null } = head;
  const { settings, ...setUp } =
    flags.target === undefined ? assumedSetUp({ baseUrl, beatsUrl }, flags) : setUpFor(readTarget(flags), flags, []);
  return {
    ...setUp,
    settings: {
      ...settings,
      baseUrl,
      beatsUrl,
      controlUrl: head.control_url ?? settings.controlUrl,
      registrationSecret: head.registration_secret ?? settings.registrationSecret,
      adminKey: head.admin_key ?? settings.adminKey,
      partnerKey: head.partner_key ?? settings.partnerKey,
    },
  };
}

/** The set-up without a target file. `from`: how the addresses are known, where nobody gave them. */
export function assumedSetUp(
  { baseUrl, beatsUrl }: Addresses,
  { protocol, ...flags }: WatchFlags,
  from?: string,
): SessionSetUp {
  const target = { ...readTarget({ url: baseUrl, protocol }), beatsUrl };
  const numbers = protocol === undefined ? ["the specification's numbers, but no fees until a summary shows them"] : [];
  const assumed = [...(from === undefined ? [] : [from]), 'devnet', 'dialect service', ...numbers];
  const { settings, ...setUp } = setUpFor(target, flags, assumed);
  // Nobody says whether a registration needs a secret, or which fees administrators have set, unless the numbers are given.
  const fees = protocol === undefined ? { feesOpen: true as const } : {};
  return { ...setUp, settings: { ...settings, ...fees, needsSecret: undefined } };
}

/** The set-up of a target. */
export function setUpFor(
  target: Target,
  { only = [], out }: Pick<WatchFlags, 'only' | 'out'>,
  assumed: readonly string[],
): SessionSetUp {
  return {
    settings: settingsOf(target),
    network: target.network,
    assumed,
    hidden: hiddenOf(target),
    only,
    unsupported: target.unsupported,
    out,
  };
}
