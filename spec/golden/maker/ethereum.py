"""Keccak-256, secp256k1 with RFC 6979 nonces, EIP-55 addresses and EIP-191 messages in plain Python, for fixed test keys only."""

import hashlib
import hmac

# --- Keccak-256: the original padding byte 0x01, not the 0x06 of FIPS 202 ---

RATE_BYTES = 136
MASK = (1 << 64) - 1


def round_constants():
    """The 24 constants of iota, from the degree-8 LFSR x^8 + x^6 + x^5 + x^4 + 1."""
    constants, register = [], 1
    for _ in range(24):
        constant = 0
        for bit in range(7):
            if register & 1:
                constant |= 1 << ((1 << bit) - 1)
            register <<= 1
            if register & 0x100:
                register ^= 0x171
        constants.append(constant)
    return constants


ROUND_CONSTANTS = round_constants()


def rotate(lane, bits):
    bits %= 64
    return ((lane << bits) | (lane >> (64 - bits))) & MASK


def permute(state):
    """Keccak-f[1600] on 25 lanes; lane (x, y) stands at x + 5 * y."""
    for constant in ROUND_CONSTANTS:
        parity = [state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20] for x in range(5)]
        mix = [parity[(x + 4) % 5] ^ rotate(parity[(x + 1) % 5], 1) for x in range(5)]
        state = [state[i] ^ mix[i % 5] for i in range(25)]
        x, y, lane = 1, 0, state[1]
        for step in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            lane, state[x + 5 * y] = state[x + 5 * y], rotate(lane, (step + 1) * (step + 2) // 2)
        rows = state[:]
        for i in range(25):
            row = i - i % 5
            state[i] = rows[i] ^ (~rows[row + (i + 1) % 5] & MASK & rows[row + (i + 2) % 5])
        state[0] ^= constant
    return state


def keccak256(data):
    padding = RATE_BYTES - len(data) % RATE_BYTES
    padded = bytearray(data + bytes(padding))
    padded[len(data)] ^= 0x01
    padded[-1] ^= 0x80
    state = [0] * 25
    for block in range(0, len(padded), RATE_BYTES):
        for lane in range(RATE_BYTES // 8):
            start = block + 8 * lane
            state[lane] ^= int.from_bytes(padded[start : start + 8], "little")
        state = permute(state)
    return b"".join(lane.to_bytes(8, "little") for lane in state[:4])


# --- secp256k1 (SEC 2, 2.4.1); a point is (x, y), and None is the point at infinity ---

FIELD = 2**256 - 2**32 - 977
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
GENERATOR = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def add(p, q):
    if p is None:
        return q
    if q is None:
        return p
    if p[0] == q[0]:
        if (p[1] + q[1]) % FIELD == 0:
            return None
        slope = 3 * p[0] * p[0] * pow(2 * p[1], FIELD - 2, FIELD) % FIELD
    else:
        slope = (q[1] - p[1]) * pow(q[0] - p[0], FIELD - 2, FIELD) % FIELD
    x = (slope * slope - p[0] - q[0]) % FIELD
    return (x, (slope * (p[0] - x) - p[1]) % FIELD)


def multiply(scalar, point):
    result = None
    while scalar > 0:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def public_key(private):
    """The uncompressed point as 64 bytes, x then y."""
    x, y = multiply(private, GENERATOR)
    return x.to_bytes(32, "big") + y.to_bytes(32, "big")


def deterministic_k(private, digest):
    """RFC 6979, 3.2, with HMAC-SHA256: every k that it proposes, in order."""
    reduced = int.from_bytes(digest, "big") % ORDER
    secret = private.to_bytes(32, "big") + reduced.to_bytes(32, "big")
    v, k = b"\x01" * 32, b"\x00" * 32
    for separator in (b"\x00", b"\x01"):
        k = hmac.new(k, v + separator + secret, hashlib.sha256).digest()
        v = hmac.new(k, v, hashlib.sha256).digest()
    while True:
        v = hmac.new(k, v, hashlib.sha256).digest()
        candidate = int.from_bytes(v, "big")
        if 0 < candidate < ORDER:
            yield candidate
        k = hmac.new(k, v + b"\x00", hashlib.sha256).digest()
        v = hmac.new(k, v, hashlib.sha256).digest()


def sign_digest(private, digest):
    """(r, s, parity of the nonce point's y), with s in the lower half of the order (EIP-2)."""
    z = int.from_bytes(digest, "big")
    for k in deterministic_k(private, digest):
        x, y = multiply(k, GENERATOR)
        r = x % ORDER
        s = pow(k, ORDER - 2, ORDER) * (z + r * private) % ORDER
        # x >= ORDER would need recovery ids 2 and 3, which v = 27 or 28 cannot say.
        if r == 0 or s == 0 or x >= ORDER:
            continue
        parity = y & 1
        return (r, ORDER - s, parity ^ 1) if s > ORDER // 2 else (r, s, parity)


def recover(digest, r, s, parity):
    """The 64-byte public key whose signature this is (SEC 1, 4.1.6)."""
    y = pow(r**3 + 7, (FIELD + 1) // 4, FIELD)
    if y * y % FIELD != (r**3 + 7) % FIELD:
        raise ValueError("r is not the x of a point")
    nonce_point = (r, y if y & 1 == parity else FIELD - y)
    r_inverse, z = pow(r, ORDER - 2, ORDER), int.from_bytes(digest, "big")
    point = add(multiply(s * r_inverse % ORDER, nonce_point), multiply(-z * r_inverse % ORDER, GENERATOR))
    return point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big")


# --- addresses and messages ---


def checksum_address(public):
    """EIP-55: a hex letter is upper-case where the hash of the lower-case address has a nibble of 8 or more."""
    plain = keccak256(public)[-20:].hex()
    nibbles = keccak256(plain.encode("ascii")).hex()
    return "0x" + "".join(c.upper() if int(n, 16) >= 8 else c for c, n in zip(plain, nibbles))


def personal_digest(message):
    """EIP-191 version 0x45: the length is that of the message in bytes."""
    return keccak256(b"\x19Ethereum Signed Message:\n" + str(len(message)).encode("ascii") + message)


def personal_sign(private, message):
    """`0x` and the hex of r, s and v, where v is 27 or 28."""
    digest = personal_digest(message)
    r, s, parity = sign_digest(private, digest)
    if recover(digest, r, s, parity) != public_key(private):
        raise AssertionError("the signature does not recover to its key")
    return "0x" + (r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([27 + parity])).hex()
