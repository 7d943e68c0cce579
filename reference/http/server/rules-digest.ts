/**
 * A digest of the rules: of the state that a fixed list of commands leads to. Two builds with the same digest bring
 * every journal to the same state, as far as the list goes; a journal written under another digest is replayed with care
 * (store/replay-into.ts).
 */

import { hash } from 'node:crypto';
import { dialects } from '../../../spec/dialect.js';
import { protocol } from '../../../spec/protocol.js';
import type { ServiceOptions } from '../../service.js';
import { commandDigest, serviceFingerprint } from '../../state-digest.js';
import type { Command } from '../../store/command.js';
import { manualClock } from '../request/clock.js';
import { createHost } from '../request/host.js';
import { replay } from './replay.js';

/** The service that the list was made on. */
export const goldenService: ServiceOptions = {
  protocol,
  dialect: dialects.service,
  policy: {
    network: 'devnet',
    registrationSecret: null,
    byoWallet: true,
    beatsRequired: false,
    allowLoopbackWebhooks: true,
  },
  seed: 7,
  startMs: Date.UTC(2026, 0, 1),
};

/** Applies the list to a new service. A command that these rules refuse is part of the digest. */
export async function rulesDigest(commands: readonly Command[]): Promise<string> {
  const host = createHost(goldenService, manualClock(goldenService.startMs), { trustForwardedFor: false });
  let digest = '';
  for (const command of commands) {
    const state = outcomeOf(() => {
      replay(host, command);
      return commandDigest(host.service, command.agent);
    });
    digest = hash('sha256', `${digest}\n${state}`);
  }
  await host.beatPool.close();
  return hash('sha256', `${digest}\n${serviceFingerprint(host.service)}`);
}

function outcomeOf(apply: () => string): string {
  try {
    return apply();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.message;
  }
}
