"""The text and byte forms that the protocol signs and hashes."""

import base64
import hashlib
import json

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def base58(data):
    """Base58 as Solana writes it: each leading zero byte is a leading `1`."""
    number, digits = int.from_bytes(data, "big"), ""
    while number > 0:
        number, digit = divmod(number, 58)
        digits = ALPHABET[digit] + digits
    return "1" * (len(data) - len(data.lstrip(b"\x00"))) + digits


def base58_decode(digits):
    number = 0
    for digit in digits:
        number = number * 58 + ALPHABET.index(digit)
    body = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return bytes(len(digits) - len(digits.lstrip("1"))) + body


def base64_text(data):
    return base64.b64encode(data).decode("ascii")


def base64url(data):
    """Base64url without padding (RFC 4648, section 5)."""
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def plain_json(value):
    """JSON without spaces, keys in the order given."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def canonical_json(value):
    """JSON without spaces, keys sorted."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True)


def utf8(value):
    return value.encode("utf-8")


def sha256_hex(value):
    """Lower-case hex SHA-256 of bytes, or of the UTF-8 of a text."""
    return hashlib.sha256(utf8(value) if isinstance(value, str) else value).hexdigest()


def run_of_bytes(first):
    """The 32 bytes first, first + 1, ...: a key that anyone can type."""
    return bytes(range(first, first + 32))
