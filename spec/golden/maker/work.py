"""Vectors of beats, genesis beats, anchors, receipts and lineage: D-02, D-03, D-05, D-09, D-14."""

from . import ed25519
from .fixed import ANCHOR_MS, ANCHOR_SEED, DIALECTS, START_MS, WORK_PROOF_SEED, agent_hash, label_hash
from .text import base58, base64_text, base64url, canonical_json, plain_json, sha256_hex, utf8

ZEROS = "0" * 64


def seed_text(prev, index, nonce, anchor_hash):
    text = f"{prev}:{index}:{nonce or ''}"
    return text if anchor_hash is None else f"{text}:{anchor_hash}"


def beat_hash(prev, index, nonce, anchor_hash, difficulty):
    current = sha256_hex(seed_text(prev, index, nonce, anchor_hash))
    for _ in range(difficulty):
        current = sha256_hex(current)
    return current


def genesis_hash(agent):
    return sha256_hex("beats:genesis:v1:" + agent)


def beat_case(name, index, nonce, anchor_hash, difficulty):
    prev = label_hash("previous beat")
    return {
        "name": name,
        "kind": "beat",
        "prev": prev,
        "index": index,
        "nonce": nonce,
        "anchor_hash": anchor_hash,
        "difficulty": difficulty,
        "seed_text": seed_text(prev, index, nonce, anchor_hash),
        "hash": beat_hash(prev, index, nonce, anchor_hash, difficulty),
    }


def chain_case(name, anchor_hash, difficulty):
    agent = agent_hash(name)
    prev = genesis_hash(agent)
    links = []
    for index in range(1, 6):
        current = beat_hash(prev, index, None, anchor_hash, difficulty)
        links.append({"index": index, "prev": prev, "hash": current})
        prev = current
    return {
        "name": name,
        "kind": "chain",
        "agent_hash": agent,
        "genesis_hash": genesis_hash(agent),
        "anchor_hash": anchor_hash,
        "difficulty": difficulty,
        "beats": links,
    }


def beats():
    anchor = label_hash("woven anchor")
    cases = []
    for difficulty in (1, 100, 1000):
        cases += [
            beat_case(f"plain at difficulty {difficulty}", 1, None, None, difficulty),
            beat_case(f"nonce at difficulty {difficulty}", 2, "golden-nonce", None, difficulty),
            beat_case(f"anchor at difficulty {difficulty}", 3, None, anchor, difficulty),
            beat_case(f"nonce and anchor at difficulty {difficulty}", 4, "golden-nonce", anchor, difficulty),
        ]
    cases += [
        beat_case("empty nonce, as absent", 1, "", None, 1),
        beat_case("non-ASCII nonce", 5, "naïve ✓", anchor, 1),
        beat_case("index above 32 bits", 4294967297, None, anchor, 1),
        chain_case("chain with the anchor woven at difficulty 1000", anchor, 1000),
        chain_case("chain with the anchor woven at difficulty 100", anchor, 100),
        chain_case("chain without an anchor at difficulty 100", None, 100),
    ]
    return {
        "about": "One beat of the sequential SHA-256 chain, and chains of five beats from a genesis beat (D-02; section 1).",
        "cases": cases,
    }


def genesis():
    agents = [
        ("labelled agent", agent_hash("genesis")),
        ("all zeros", "0x" + ZEROS),
        ("all f", "0x" + "f" * 64),
    ]
    return {
        "about": "The genesis beat of an agent's chain (D-03; section 2.3).",
        "cases": [
            {"name": name, "agent_hash": agent, "text": "beats:genesis:v1:" + agent, "index": 0, "prev": ZEROS, "hash": genesis_hash(agent)}
            for name, agent in agents
        ],
    }


# Leading zero bytes become leading ones in base58, which a decoder may lose.
ENTROPIES = [
    bytes.fromhex(label_hash("entropy 0")),
    bytes.fromhex(label_hash("entropy 1")),
    bytes(2) + bytes.fromhex(label_hash("entropy 2"))[2:],
]


def anchor_case(name, dialect, beat_index, prev_hash, entropy, anchored):
    domain = dialect["anchor_domain"]
    preimage = utf8(domain) + bytes.fromhex(prev_hash) + beat_index.to_bytes(8, "big") + entropy
    signed_memo = bytes.fromhex(label_hash(f"transaction {beat_index}") + label_hash(f"memo {beat_index}"))
    anchor = {
        "type": "anchor",
        "beat_index": beat_index,
        "hash": sha256_hex(preimage),
        "prev_hash": prev_hash,
        "utc": START_MS + ANCHOR_MS * beat_index,
        "difficulty": 1000,
        "epoch": beat_index // 100,
        "tx_signature": base58(signed_memo) if anchored else None,
        "solana_entropy": base58(entropy),
    }
    canonical = canonical_json(anchor)
    return {
        "name": f"{dialect['name']}: {name}",
        "dialect": dialect["name"],
        "domain_prefix": domain,
        "beat_index": beat_index,
        "prev_hash": prev_hash,
        "entropy_base58": base58(entropy),
        "entropy_hex": entropy.hex(),
        "preimage_hex": preimage.hex(),
        "hash": anchor["hash"],
        "anchor": anchor,
        "canonical": canonical,
        "seed_hex": ANCHOR_SEED.hex(),
        "public_key_hex": ed25519.public_key(ANCHOR_SEED).hex(),
        "signature_base64": base64_text(ed25519.sign(ANCHOR_SEED, utf8(canonical))),
    }


def anchors():
    cases = []
    for dialect in DIALECTS:
        prev = sha256_hex("beats:genesis:v1:")
        for index, entropy in enumerate(ENTROPIES):
            case = anchor_case(f"anchor {index}", dialect, index, prev, entropy, True)
            cases.append(case)
            prev = case["hash"]
        far = label_hash("far anchor")
        cases += [
            anchor_case("last anchor of epoch 0", dialect, 99, far, ENTROPIES[0], False),
            anchor_case("first anchor of epoch 1", dialect, 100, far, ENTROPIES[0], True),
            anchor_case("index above 32 bits", dialect, 4294967297, far, ENTROPIES[1], True),
        ]
    return {
        "about": "Global anchors: hash of the preimage, the canonical JSON of the object and its Ed25519 signature; anchors 0 to 2 of a dialect are a chain (D-05; section 2.4).",
        "cases": cases,
    }


def receipt_case(name, beats_verified, difficulty, anchor_index, utc):
    unsigned = {
        "type": "work_proof",
        "beats_verified": beats_verified,
        "difficulty": difficulty,
        "anchor_index": anchor_index,
        "anchor_hash": label_hash(f"receipt anchor {anchor_index}"),
        "from_hash": label_hash(f"{name} from"),
        "to_hash": label_hash(f"{name} to"),
        "utc": utc,
    }
    canonical = canonical_json(unsigned)
    signature = base64_text(ed25519.sign(WORK_PROOF_SEED, utf8(canonical)))
    payload = {**unsigned, "signature": signature}
    return {
        "name": name,
        "seed_hex": WORK_PROOF_SEED.hex(),
        "public_key_hex": ed25519.public_key(WORK_PROOF_SEED).hex(),
        "payload": payload,
        "canonical": canonical,
        "signature_base64": signature,
        "payload_json": plain_json(payload),
        "string_form": base64url(utf8(plain_json(payload))),
    }


def receipts():
    return {
        "about": "Work-proof receipts as an object and as a base64url string: the signature covers the canonical JSON of every field but itself (D-09; section 2.5).",
        "cases": [
            receipt_case("one beat at anchor 0", 1, 100, 0, "2026-01-01T00:00:00.000Z"),
            receipt_case("spawn of a first child", 1000, 100, 7, "2026-01-01T00:07:12.345Z"),
            receipt_case("resync at the highest penalty", 10000, 1000, 250, "2026-01-01T04:10:59.999Z"),
        ],
    }


LINEAGE = [
    ("registered", 0),
    ("wallet_linked", 1),
    ("sigil", 2),
    ("heartbeat", 12),
    ("spawned", 13),
    ("frozen", 73),
    ("unfrozen", 80),
    ("heartbeat", 90),
]


def lineage():
    agent, previous, cases = agent_hash("lineage"), ZEROS, []
    for position, (kind, beat) in enumerate(LINEAGE):
        event = {"type": kind, "agent_hash": agent, "beat": beat, "at": START_MS + ANCHOR_MS * beat}
        canonical = canonical_json(event)
        folded = sha256_hex(previous + canonical)
        cases.append(
            {
                "name": f"event {position}: {kind}",
                "previous": previous,
                "event": event,
                "canonical": canonical,
                "text": previous + canonical,
                "hash": folded,
                "lineage_chain_hash": "0x" + folded,
            }
        )
        previous = folded
    return {
        "about": "One agent's lineage events folded in order from 64 zeros: each case starts from the hash of the one before (D-14; section 2.6).",
        "cases": cases,
    }
