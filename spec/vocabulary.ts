/**
 * The words of the protocol: classes, tiers, fee types, events, states. Patterns of text are in formats.ts, and names
 * that a deployment chooses in dialect.ts.
 */

/** 2.7: the identity classes, in the order of their rising fee and cap. */
export const identityClasses = ['narrow_task', 'autonomous', 'orchestrator'] as const;
export type IdentityClass = (typeof identityClasses)[number];

/** 2.6: the fields of a passport that are signed, in the order of the signed text (D-11). */
export const passportFields = [
  'format_version',
  'agent_hash',
  'agent_public_key',
  'authority_key_id',
  'identity_class',
  'registered_at_beat',
  'sigil_issued_at_beat',
  'last_heartbeat_beat',
  'lineage_chain_hash',
  'issued_at',
  'valid_until',
] as const;
export type PassportField = (typeof passportFields)[number];

/** 2.7: tiers of trust governance. `sbx` is the sandbox. */
export const sigilTiers = ['sov', 'org', 'ind', 'eph', 'sbx'] as const;
export type SigilTier = (typeof sigilTiers)[number];

/** 2.11: the types of fees. */
export const feeTypes = ['sigil', 'heartbeat', 'reissuance'] as const;
export type FeeType = (typeof feeTypes)[number];

/** 4.2: chains on which a wallet can live. */
export const walletChains = ['solana', 'ethereum'] as const;
export type WalletChain = (typeof walletChains)[number];

/** 2.1: the keeper of a wallet's key. */
export const walletModels = ['self-custody', 'operator'] as const;
export type WalletModel = (typeof walletModels)[number];

/** 4.5: the parties to a fee, in the order of fees/summary (D-22). */
export const feeShares = ['operations', 'contributors', 'development', 'treasury', 'referral'] as const;
export type FeeShare = (typeof feeShares)[number];

/** 6: events that a partner can subscribe to. */
export const partnerEvents = ['sigil.purchased', 'heartbeat.recorded', 'agent.frozen', 'agent.unfrozen'] as const;
export type PartnerEvent = (typeof partnerEvents)[number];

/** 2.8: the vocabularies of the mutable fields; the vendors of `substrate_provider` are the dialect's. */
export const substrates = ['frontier', 'open', 'local', 'symbolic', 'hybrid', 'human'] as const;
export const capabilities = [
  'analyst',
  'executor',
  'orchestrator',
  'guardian',
  'retriever',
  'renderer',
  'witness',
] as const;
export const protocols = ['http', 'grpc', 'websocket', 'mcp', 'a2a', 'custom'] as const;
export const complianceRegimes = ['gdpr', 'pdpa', 'hipaa', 'sox', 'aisi', 'none', 'custom'] as const;

/** D-16: the place of an agent in its lineage. */
export const agentTypes = ['root', 'agent'] as const;
export type AgentType = (typeof agentTypes)[number];

/** D-19 and D-43: the standing of an agent in lookups; refused wins over frozen. */
export const standings = ['registered', 'active', 'warning', 'frozen', 'refused'] as const;
export type Standing = (typeof standings)[number];

/** 3.4 and D-30: the states of a sponsorship. */
export const sponsorshipStatuses = ['active', 'revoked', 'expired'] as const;
export type SponsorshipStatus = (typeof sponsorshipStatuses)[number];

/** D-08: why a well-formed work proof earns no receipt. */
export const workProofRefusals = [
  'insufficient_difficulty',
  'insufficient_spot_checks',
  'count_mismatch',
  'stale_anchor',
  'spot_check_failed',
] as const;
export type WorkProofRefusal = (typeof workProofRefusals)[number];

/** D-10: the modes of POST /beat/verify. */
export const beatVerifyModes = ['beat', 'chain', 'proof'] as const;
export type BeatVerifyMode = (typeof beatVerifyModes)[number];
