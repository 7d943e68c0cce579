"""The fixed inputs of every vector: keys that anyone can type, hashes of labels, and one moment. Nothing here is secret."""

from . import ed25519
from .text import base58, run_of_bytes, sha256_hex

# 2026-01-01T00:00:00Z, where the manual clock starts (D-56).
START_MS = 1767225600000
DAY_MS = 86400000
ANCHOR_MS = 60000

AUTHORITY_SEED = run_of_bytes(0x01)
ANCHOR_SEED = run_of_bytes(0x21)
WORK_PROOF_SEED = run_of_bytes(0x41)
WALLET_SEED = run_of_bytes(0x61)
ETHEREUM_KEY = int(sha256_hex("aips-lab golden ethereum key"), 16)

WALLET_PUBLIC = ed25519.public_key(WALLET_SEED)
WALLET_ADDRESS = base58(WALLET_PUBLIC)

# D-01: the names that differ on the wire.
DIALECTS = [
    {"name": "service", "message_prefix": "service", "anchor_domain": "SERVICE_BEATS_V1"},
    {"name": "provenonce", "message_prefix": "provenonce", "anchor_domain": "PROVENONCE_BEATS_V1"},
]


def label_hash(label):
    """64 hex characters that belong to this label and no other."""
    return sha256_hex("aips-lab golden " + label)


def agent_hash(label):
    return "0x" + label_hash("agent " + label)
