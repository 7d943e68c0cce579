"""Vectors of passports, signed messages, agent keys, SIGIL names and webhook signatures: D-01, D-11, D-15, D-17, D-46; sections 4.2, 4.6, 4.12, 6."""

import hashlib
import hmac

from . import ed25519, ethereum
from .fixed import (
    AUTHORITY_SEED,
    DAY_MS,
    DIALECTS,
    ETHEREUM_KEY,
    START_MS,
    WALLET_ADDRESS,
    WALLET_PUBLIC,
    WALLET_SEED,
    agent_hash,
    label_hash,
)
from .text import base64url, plain_json, sha256_hex, utf8

ETHEREUM_PUBLIC = ethereum.public_key(ETHEREUM_KEY)
ETHEREUM_ADDRESS = ethereum.checksum_address(ETHEREUM_PUBLIC)


def passport_case(name, agent_public_key, identity_class, registered, sigil_issued, last_heartbeat):
    public = ed25519.public_key(AUTHORITY_SEED).hex()
    issued_at = START_MS + DAY_MS
    # The order of the fields is the order of the signed text.
    fields = {
        "format_version": 1,
        "agent_hash": agent_hash(name),
        "agent_public_key": agent_public_key,
        "authority_key_id": "pvn-ed25519-" + public[:16],
        "identity_class": identity_class,
        "registered_at_beat": registered,
        "sigil_issued_at_beat": sigil_issued,
        "last_heartbeat_beat": last_heartbeat,
        "lineage_chain_hash": "0x" + label_hash("lineage of " + name),
        "issued_at": issued_at,
        "valid_until": issued_at + DAY_MS,
    }
    canonical = plain_json(fields)
    return {
        "name": name,
        "seed_hex": AUTHORITY_SEED.hex(),
        "public_key_hex": public,
        "authority_key_id": fields["authority_key_id"],
        "fields": fields,
        "canonical": canonical,
        "sha256": sha256_hex(canonical),
        "signature_hex": ed25519.sign(AUTHORITY_SEED, utf8(canonical)).hex(),
    }


def passports():
    return {
        "about": "Passport fields, the exact text that is signed, and its Ed25519 signature under the seed 01..20 (D-11; section 2.6).",
        "cases": [
            passport_case("full root", WALLET_ADDRESS, "autonomous", 3, 17, 1440),
            passport_case("root with a SIGIL and no heartbeat", WALLET_ADDRESS, "narrow_task", 0, 1, 0),
            passport_case("root with an Ethereum wallet", ETHEREUM_ADDRESS, "orchestrator", 5, 6, 99999),
            passport_case("child without a SIGIL", WALLET_ADDRESS, None, 400, None, 1430),
            passport_case("no agent public key", None, "orchestrator", 12, 20, 1400),
            passport_case("child without a SIGIL or agent public key", None, None, 401, None, 0),
        ],
    }


PLAIN_NAME = "golden-agent"
NON_ASCII_NAME = "Zo\u00eb \u4ee3\u7406 \U0001f916"
UNTRIMMED_NAME = "  golden agent "

# flow → which words stand after the nonce, and under which kind of key (sections 4.2 and 4.12).
FLOWS = [
    ("register", "public-key", "name"),
    ("register-operator", "base58", "name"),
    ("register-ethereum", "ethereum", "name"),
    ("link-wallet", "public-key", "agent"),
    ("link-wallet-operator", "base58", "agent"),
]
ADDRESSES = {"public-key": WALLET_PUBLIC.hex(), "base58": WALLET_ADDRESS, "ethereum": ETHEREUM_ADDRESS}


def message_case(title, dialect, flow, key, subject, address=None):
    nonce = label_hash(f"nonce {flow}")
    address = address or ADDRESSES[key]
    text = f"{dialect['message_prefix']}-{flow}:{nonce}:{address}:{subject}"
    case = {
        "name": f"{dialect['name']}: {flow}{title}",
        "dialect": dialect["name"],
        "flow": flow,
        "nonce": nonce,
        "address": address,
        "subject": subject,
        "text": text,
        "text_utf8_hex": utf8(text).hex(),
    }
    if key == "ethereum":
        return {
            **case,
            "algorithm": "eip191-secp256k1",
            "secret_key_hex": ETHEREUM_KEY.to_bytes(32, "big").hex(),
            "public_key_hex": ETHEREUM_PUBLIC.hex(),
            "checksum_address": ETHEREUM_ADDRESS,
            "digest_hex": ethereum.personal_digest(utf8(text)).hex(),
            "signature": ethereum.personal_sign(ETHEREUM_KEY, utf8(text)),
        }
    return {
        **case,
        "algorithm": "ed25519",
        "secret_key_hex": WALLET_SEED.hex(),
        "public_key_hex": WALLET_PUBLIC.hex(),
        "signature": ed25519.sign(WALLET_SEED, utf8(text)).hex(),
    }


def messages():
    cases = []
    for dialect in DIALECTS:
        for flow, key, subject in FLOWS:
            plain = PLAIN_NAME if subject == "name" else agent_hash("wallet owner")
            cases.append(message_case("", dialect, flow, key, plain))
            if subject == "name":
                cases.append(message_case(", non-ASCII name", dialect, flow, key, NON_ASCII_NAME))
        lower = ETHEREUM_ADDRESS.lower()
        cases += [
            message_case(", name with outer spaces as sent", dialect, "register", "public-key", UNTRIMMED_NAME),
            message_case(", name with colons", dialect, "register-operator", "base58", "a:b:c"),
            message_case(", lower-case address as sent", dialect, "register-ethereum", "ethereum", PLAIN_NAME, lower),
        ]
    return {
        "about": "Every message that a wallet signs, with its key and signature: hex Ed25519, or 0x r||s||v of an EIP-191 personal_sign (D-01, D-46; sections 4.2, 4.12).",
        "cases": cases,
    }


WEBHOOK_BODIES = [
    (
        "sigil purchased",
        {
            "id": "6f0d2a52-6f6b-4f0e-9d5b-2d1a7c3e9b10",
            "event": "sigil.purchased",
            "agent_hash": agent_hash("webhook"),
            "occurred_at": "2026-01-01T00:05:00.000Z",
            "data": {
                "sigil": "weather*golden*org",
                "identity_class": "narrow_task",
                "tier": "org",
                "payment_tx": WALLET_ADDRESS,
                "fee_lamports": 50000000,
            },
        },
    ),
    (
        "agent frozen",
        {
            "id": "0b9f3d1e-58c4-4d0f-8f39-7c0c3f1b2a44",
            "event": "agent.frozen",
            "agent_hash": agent_hash("webhook"),
            "occurred_at": "2026-01-01T01:01:00.000Z",
            "data": {"missed_anchors": 61, "last_global_sync": 0, "frozen_at_beat": 61},
        },
    ),
]


def webhook_case(name, secret, body):
    mac = hmac.new(utf8(secret), utf8(body), hashlib.sha256).hexdigest()
    return {"name": name, "webhook_secret": secret, "body": body, "header_value": "sha256=" + mac}


def webhook_signatures():
    secret, other = label_hash("webhook secret"), label_hash("rotated webhook secret")
    cases = [webhook_case(name, secret, plain_json(body)) for name, body in WEBHOOK_BODIES]
    cases += [
        webhook_case("same body under a rotated secret", other, plain_json(WEBHOOK_BODIES[0][1])),
        webhook_case("non-ASCII body", secret, plain_json({"name": NON_ASCII_NAME})),
        webhook_case("empty body", secret, ""),
    ]
    return {
        "about": "The value of the webhook signature header: HMAC-SHA256 of the body's UTF-8 under the UTF-8 of the secret's hex text, not its 32 bytes (section 6, rule 2; D-37).",
        "cases": cases,
    }


SERVER_SECRET = "aips-lab golden server secret"


def api_key_case(name, hash_of_agent, key_id, issued_at):
    payload = {"h": hash_of_agent, "k": key_id, "iat": issued_at}
    encoded = base64url(utf8(plain_json(payload)))
    mac = hmac.new(utf8(SERVER_SECRET), utf8(encoded), hashlib.sha256).hexdigest()
    return {
        "name": name,
        "server_secret": SERVER_SECRET,
        "server_secret_hex": utf8(SERVER_SECRET).hex(),
        "payload": payload,
        "payload_json": plain_json(payload),
        "payload_base64url": encoded,
        "signature_hex": mac,
        "api_key": f"pvn_{encoded}.{mac}",
    }


def api_keys():
    # Key ids of three lengths, so that each count of stripped padding occurs.
    return {
        "about": "Agent API keys: pvn_, the payload in base64url without padding, and the hex HMAC-SHA256 of that base64url text under the server secret (D-15; sections 2.1, 5).",
        "cases": [
            api_key_case("key id of 16", agent_hash("key 16"), label_hash("key id")[:16], START_MS),
            api_key_case("key id of 17", agent_hash("key 17"), label_hash("key id")[:17], START_MS + 1),
            api_key_case("key id of 18", agent_hash("key 18"), label_hash("key id")[:18], START_MS + DAY_MS),
        ],
    }


LETTERS_AND_DIGITS = set("abcdefghijklmnopqrstuvwxyz0123456789")
TIERS = ("sov", "org", "ind", "eph", "sbx")


def word_fits(word, characters_max):
    """A letter or digit first, then letters, digits and hyphens: written without a pattern language on purpose."""
    if not 1 <= len(word) <= characters_max or word[0] not in LETTERS_AND_DIGITS:
        return False
    return all(character in LETTERS_AND_DIGITS or character == "-" for character in word)


def sigil_case(name, sigil_name, principal, tier):
    valid = word_fits(sigil_name, 48) and word_fits(principal, 24) and tier in TIERS
    return {
        "name": name,
        "sigil_name": sigil_name,
        "principal": principal,
        "tier": tier,
        "valid": valid,
        "sigil": f"{sigil_name}*{principal}*{tier}" if valid else None,
    }


def sigil_names():
    cases = [sigil_case(f"tier {tier}", "weather", "golden", tier) for tier in TIERS]
    rows = [
        ("automatic name", "auto-1f2e3d4c", "golden", "ind"),
        ("name of one character", "a", "golden", "org"),
        ("name of 48 characters", "n" * 48, "golden", "org"),
        ("name of 49 characters", "n" * 49, "golden", "org"),
        ("name that starts with a digit", "7-eleven", "golden", "org"),
        ("name that ends with a hyphen", "weather-", "golden", "org"),
        ("name that starts with a hyphen", "-weather", "golden", "org"),
        ("name in capitals", "Weather", "golden", "org"),
        ("name with an underscore", "wea_ther", "golden", "org"),
        ("name with the separator", "wea*ther", "golden", "org"),
        ("name with a line end", "weather\n", "golden", "org"),
        ("name outside ASCII", "m\u00e9t\u00e9o", "golden", "org"),
        ("empty name", "", "golden", "org"),
        ("principal of one character", "weather", "9", "org"),
        ("principal of 24 characters", "weather", "p" * 24, "org"),
        ("principal of 25 characters", "weather", "p" * 25, "org"),
        ("principal that starts with a hyphen", "weather", "-golden", "org"),
        ("principal in capitals", "weather", "GOLDEN", "org"),
        ("empty principal", "weather", "", "org"),
        ("unknown tier", "weather", "golden", "gov"),
        ("tier in capitals", "weather", "golden", "ORG"),
    ]
    return {
        "about": "SIGIL texts, and the names, principals and tiers that may stand in one (D-17; sections 2.7, 4.6).",
        "cases": cases + [sigil_case(*row) for row in rows],
    }
