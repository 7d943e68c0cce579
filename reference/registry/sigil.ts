/** The rule of POST /sigil (4.6): buys a named identity. Changing its mutable fields is in metadata.ts. */

import { sigilText } from '../../spec/formats.js';
import type { Sigil } from './columns/records.js';
import { nextHex } from './columns/stream.js';
import { depositWithSigil, postDeposit } from './deposit.js';
import { bookFee } from './fee-book.js';
import { sigilFee } from './fee-resolution.js';
import { classColumns } from './fees.js';
import { appendLineage } from './lineage.js';
import { emit } from './outbox.js';
import { type NamedPayment, usePayment, validPayment } from './payment.js';
import { type Refusal, refuse } from './refusal.js';
import { currentBeat, type Registry } from './state.js';

export interface SigilInput {
  readonly agent: number;
  readonly identityClass: string;
  readonly principal: string;
  readonly tier: string;
  /** D-17: absent or `auto`: a name is generated. */
  readonly name?: string | undefined;
  readonly payment: NamedPayment;
}

interface SigilAccepted {
  readonly ok: true;
  readonly sigil: Sigil;
  readonly feeLamports: number;
  /** Paid in addition to the fee; 0 without a deposit of an overlay. */
  readonly depositLamports: number;
}

/** 4.6: buys a named identity and its class, once. Refuses by the rows of `sigil` in spec/errors. */
export function sigil(registry: Registry, input: SigilInput, nowMs: number): SigilAccepted | Refusal {
  const { columns, line } = registry.agents;
  const { agent, payment, principal, tier } = input;
  const classColumnOf = classColumns(registry.protocol);
  if (line.identityClass(agent) !== 0) return refuse('sigil/SIGIL_ALREADY_EXISTS');
  if (line.wallet(agent) < 0 && registry.policy.byoWallet) return refuse('sigil/WALLET_REQUIRED');
  if (payment === 'missing') return refuse('sigil/PAYMENT_REQUIRED');
  const custom = input.name !== undefined && input.name !== 'auto';
  if (custom && registry.sigilNames.has(fullName(input.name as string, principal)))
    return refuse('sigil/SIGIL_NAME_TAKEN');
  const feeLamports = sigilFee(registry, agent, input.identityClass, nowMs);
  const depositLamports = depositWithSigil(registry, agent);
  const paid = validPayment(registry, 'sigil', payment, feeLamports + depositLamports);
  if ('row' in paid) return paid;
  const wallet = line.wallet(agent);
  if (wallet >= 0 && paid.sender !== wallet) return refuse('sigil/PAYMENT_SENDER_MISMATCH');

  const name = custom ? (input.name as string) : freeName(registry, principal);
  const issued: Sigil = {
    name,
    principal,
    tier,
    birthTx: '',
    paymentTx: paid.id ?? '',
    generation: registry.protocol.metadata.generationStart,
  };
  usePayment(registry, paid);
  bookFee(registry.feeBook, 'sigil', feeLamports, nowMs);
  postDeposit(registry, agent, depositLamports);
  registry.sigils.set(agent, issued);
  registry.sigilNames.add(fullName(name, principal));
  line.setIdentityClass(agent, classColumnOf(input.identityClass));
  columns.sigilAtBeat[agent] = currentBeat(registry);
  appendLineage(registry, agent, 'sigil', nowMs);
  if (line.partner(agent) >= 0) {
    emit(registry, 'sigil.purchased', agent, nowMs, {
      sigil: sigilText(issued),
      identity_class: input.identityClass,
      tier,
      payment_tx: issued.paymentTx,
      fee_lamports: feeLamports,
    });
  }
  return { ok: true, sigil: issued, feeLamports, depositLamports };
}

/**
 * D-17: the name by which SIGILs are distinguished. It is joined, since V8 keeps the parts of a text that a template makes, and the
 * set of these names would take twice the memory.
 */
function fullName(name: string, principal: string): string {
  return [name, principal].join('*');
}

/** D-17: generates a name, `auto-` and hex, that is free under the principal. */
function freeName(registry: Registry, principal: string): string {
  for (;;) {
    const name = `auto-${nextHex(registry.stream, registry.protocol.sigil.autoNameBytes)}`;
    if (!registry.sigilNames.has(fullName(name, principal))) return name;
  }
}

/** D-45: stores the signature of the memo that records the birth of a SIGIL on the ledger. */
export function recordBirth(registry: Registry, input: { readonly agent: number; readonly birthTx: string }): void {
  const issued = registry.sigils.get(input.agent);
  if (issued === undefined) throw new Error(`agent ${input.agent} has no SIGIL whose birth could be recorded`);
  issued.birthTx = input.birthTx;
}
