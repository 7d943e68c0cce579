/**
 * Whole lives of agents of kinds that other checks seldom make: what each calls, before a freeze and after it, and what every call
 * leaves as it is. The calls are in steps/life.ts.
 */
import { flagging } from '../steps/flagging.js';
import { Life } from '../steps/life.js';
import { inVain, linkFaults } from '../steps/life-faults.js';
import { clausesOf, feesOfLife, type Kind } from '../steps/life-kind.js';
import { OF_OTHERS, Others } from '../steps/life-others.js';
import { comeBack, lapse, penalty } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { pauseAnchors, untilFrozen } from '../steps/waits.js';
import { type Form, linkWith } from '../steps/wallet-call.js';
import { devnetOnly, ethereumRoot, operatorRoot } from '../steps/wallet-modes.js';
import { chainEnd, chainProof } from '../steps/work.js';
import type { Check } from '../trial/check.js';
import type { Agent, WalletAgent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** A kind of agent, how it is born, and what that costs in registrations. */
interface Born extends Kind {
  readonly word: string;
  readonly title: string;
  readonly registers: number;
  readonly walletRegisters: number;
  readonly born: (
    t: Trial,
  ) => Promise<{ readonly agent: WalletAgent; readonly parent?: Agent; readonly sponsor?: WalletAgent }>;
}

/** As setup: the agent with a wallet that it links in one form, and money. */
async function linked(t: Trial, agent: Agent, form: Form): Promise<WalletAgent> {
  const wallet = t.wallet();
  await inVain(t, linkFaults(t, agent, form));
  await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, agent, wallet, form)));
  return { ...agent, wallet };
}

const kinds: readonly Born[] = [
  {
    word: 'operator',
    title: 'An agent of an operator, autonomous and sovereign, lives as any other does',
    ...{ identityClass: 'autonomous', tier: 'sov', depth: 0, back: 'prove', registers: 4, walletRegisters: 4 },
    ...{ links: false, sponsored: false, accused: false },
    born: async (t) => ({ agent: await operatorRoot(t) }),
  },
  {
    word: 'sandbox-child',
    title: 'A child that is an orchestrator in a sandbox lives as a root does',
    ...{ identityClass: 'orchestrator', tier: 'sbx', depth: 1, back: 'receipt', registers: 5, walletRegisters: 4 },
    ...{ links: true, sponsored: true, accused: false },
    born: async (t) => {
      const parent = await t.walletRoot();
      return {
        parent,
        sponsor: parent,
        agent: await linked(t, await makeChild(t, parent, { init: true }), 'self-custody'),
      };
    },
  },
  {
    word: 'grandchild',
    title: 'A grandchild whose wallet its operator links lives as a root does',
    ...{ identityClass: 'narrow_task', tier: 'eph', depth: 2, back: 'prove', registers: 6, walletRegisters: 4 },
    ...{ links: true, sponsored: true, accused: true },
    born: async (t) => {
      const sponsor = await t.walletRoot();
      const parent = await makeChild(t, sponsor);
      return {
        parent,
        sponsor,
        agent: await linked(t, await makeChild(t, parent, { depth: 1, init: true }), 'operator'),
      };
    },
  },
  {
    word: 'late-wallet',
    title: 'A root with metadata that links its wallet later lives as any other does',
    ...{ identityClass: 'orchestrator', tier: 'org', depth: 0, back: 'receipt', registers: 5, walletRegisters: 2 },
    ...{ links: true, sponsored: false, accused: true },
    born: async (t) => {
      const root = await t.root({ init: true, metadata: { mark: t.word() } });
      return { agent: await linked(t, root, 'self-custody') };
    },
  },
];

const lives = kinds.map(
  (kind): Check => ({
    id: `lives/${kind.word}`,
    title: kind.title,
    clauses: clausesOf(kind),
    needs: ['payments', 'clock', 'beats', 'control'],
    controls: ['flags/:id/review'],
    registers: kind.registers,
    walletRegisters: kind.walletRegisters,
    requests: 370,
    lamports: feesOfLife(kind.identityClass),
    writes: true,
    refusal: true,
    waits: (protocol) => ({ anchors: protocol.dms.missedAnchorsMax + 1 + 4 * pauseAnchors(protocol) }),
    run: (t) =>
      flagging(t, async (flags) => {
        const { agent, parent, sponsor } = await kind.born(t);
        await t.fund(agent.wallet, 3 * feesOfLife(kind.identityClass)(t.protocol));
        const others = new Others(t, agent, flags, await t.walletRoot({ sigil: 'narrow_task' }));
        await new Life(t, kind, agent, { flags, others, parent, sponsor }).isLed();
      }),
  }),
);

const ethereum: Check = {
  id: 'lives/ethereum',
  title: 'An agent with an Ethereum wallet works, has children and comes back from a freeze as any other does',
  clauses: [...OF_OTHERS, 'beats-submit.credit', 'register.child.lineage', 'resync.transition.active'],
  needs: ['payments', 'clock', 'beats', 'control'],
  controls: ['flags/:id/review'],
  registers: 1,
  walletRegisters: 4,
  requests: 50,
  lamports: ({ sigil }) => sigil.narrowTaskFeeLamports,
  writes: true,
  unsuitableFor: devnetOnly,
  waits: untilFrozen(4),
  run: (t) =>
    flagging(t, async (flags) => {
      const agent = await ethereumRoot(t);
      t.accepted(await t.call('init', { key: agent.key }));
      const submits = async (): Promise<void> => {
        const proof = await chainProof(t, await chainEnd(t, agent), 4, 4);
        t.accepted(await t.call('beats-submit', { key: agent.key, body: proof }), 'beats-submit.credit');
      };
      await submits();
      const others = new Others(t, agent, flags, await t.walletRoot({ sigil: 'narrow_task' }));
      await others.complain('narrow_task');
      await others.discount();
      const child = await makeChild(t, agent);
      const found = t.accepted(await t.call('verify', { params: { hash: child.hash } }));
      t.shows('register.child.lineage').through('D-20').field(found, 'agent.parent', agent.hash);
      const missed = await lapse(t, agent);
      t.accepted(await comeBack(t, agent, penalty(t, missed)), 'resync.transition.active');
      await submits();
      await others.find();
      await others.endDiscount();
    }),
};

export const lifeChecks: readonly Check[] = [...lives, ethereum];
