// The silences of a small world: what the text leaves open is listed with what follows, and an ambiguity that is planted in the text is found.
import { beforeAll, describe, expect, it } from 'vitest';
import { walk } from '../../conformance/fuzz/fuzz.js';
import { loadReference, startInProcess } from '../../conformance/in-process/reference.js';
import { smallNumbers } from '../../explore/small-numbers.js';
import { withOverlay } from '../../spec/overlay.js';
import { protocol } from '../../spec/protocol.js';
import { askedIn, openAmong } from './silences.js';

const BOUNDS = { statesMax: 4_000, probedMax: 12, pairsMax: 60 };
let asked: Awaited<ReturnType<typeof askedIn>>;
beforeAll(async () => {
  asked = await askedIn(protocol, BOUNDS);
}, 120_000);

const nameOf = ({ endpoint, accepted, questions, decisions }: ReturnType<typeof openAmong>[number]) =>
  [endpoint, accepted, ...decisions, ...questions].join('|');

describe('the silences of the text', () => {
  it('have the purchase of a SIGIL before the chain starts, after which a reissue is accepted or refused', () => {
    const sigil = openAmong(asked).find(({ move, accepted }) => move === 'root: sigil ind' && accepted);
    expect(sigil).toMatchObject({ endpoint: 'POST /api/v1/sigil', questions: [expect.stringContaining('may buy')] });
    expect(sigil?.partings).toContainEqual(
      expect.objectContaining({ kind: 'outcome', other: 'reissue-proof/SIGIL_REQUIRED' }),
    );
  });

  it('have scripts that the reference plays, and that the model allows', { timeout: 60_000 }, async () => {
    const modules = await loadReference();
    const numbers = withOverlay({ beat: { difficulty: 1 }, work: { difficultyMin: 1 } }, smallNumbers(protocol));
    for (const { script } of openAmong(asked).slice(0, 3)) {
      const { failure } = await walk(async () => startInProcess(modules, { seed: 1, numbers }), script as never);
      expect(failure).toBeNull();
    }
  });

  it('do not name what the text decides', () => {
    const open = new Set(openAmong(asked).map(({ move, accepted }) => `${move} ${accepted}`));
    expect(open).not.toContain('root: metadata false');
    expect(open).not.toContain('root: init true');
  });
});

describe('an ambiguity that is planted in the text', () => {
  const present = () => new Set(openAmong(asked).map(nameOf));

  it('is listed with what follows: a SIGIL without a wallet', () => {
    const removed = new Set(['sigil.byo-wallet', 'auth.wallet-required', 'sigil.error.wallet-required']);
    const known = present();
    const found = openAmong(asked, removed).filter((each) => !known.has(nameOf(each)));
    const sigil = found.find(({ endpoint, accepted }) => endpoint === 'POST /api/v1/sigil' && !accepted);
    expect(sigil?.partings[0]).toBeDefined();
  });

  it('is not listed where it is about a field of a reply', () => {
    const removed = new Set(['init.reply.genesis', 'sigil.reply.passport', 'fee.field.tier', 'error.body.code']);
    const known = present();
    expect(openAmong(asked, removed).filter((each) => !known.has(nameOf(each)))).toEqual([]);
  });
});
