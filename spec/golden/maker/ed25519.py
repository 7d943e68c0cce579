"""Ed25519 signatures in plain Python, after RFC 8032 section 5.1. Slow and not constant-time: for fixed test keys only."""

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_MINUS_ONE = pow(2, (P - 1) // 4, P)

# A point is (X, Y, Z, T) with x = X/Z, y = Y/Z, x*y = T/Z (RFC 8032, 5.1.4).
IDENTITY = (0, 1, 1, 0)


def add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar, point):
    result = IDENTITY
    while scalar > 0:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def equal(p, q):
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def recover_x(y, sign):
    """The x of the point with this y and this low bit (RFC 8032, 5.1.3), or None when there is none."""
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if x2 == 0:
        return None if sign else 0
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P != 0:
        x = x * SQRT_MINUS_ONE % P
    if (x * x - x2) % P != 0:
        return None
    return P - x if (x & 1) != sign else x


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def compress(point):
    z_inverse = pow(point[2], P - 2, P)
    x, y = point[0] * z_inverse % P, point[1] * z_inverse % P
    return (y | ((x & 1) << 255)).to_bytes(32, "little")


def decompress(data):
    y = int.from_bytes(data, "little")
    sign = y >> 255
    y &= (1 << 255) - 1
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


def expand(seed):
    """The secret scalar and the prefix of a 32-byte seed (RFC 8032, 5.1.5)."""
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little")
    scalar &= (1 << 254) - 8
    scalar |= 1 << 254
    return scalar, digest[32:]


def hash_to_scalar(data):
    return int.from_bytes(hashlib.sha512(data).digest(), "little") % L


def public_key(seed):
    return compress(multiply(expand(seed)[0], BASE))


def sign(seed, message):
    """The 64-byte signature of a message under a 32-byte seed (RFC 8032, 5.1.6)."""
    scalar, prefix = expand(seed)
    public = compress(multiply(scalar, BASE))
    r = hash_to_scalar(prefix + message)
    commitment = compress(multiply(r, BASE))
    challenge = hash_to_scalar(commitment + public + message)
    return commitment + ((r + challenge * scalar) % L).to_bytes(32, "little")


def verify(public, message, signature):
    """RFC 8032, 5.1.7, without the cofactor."""
    point, commitment = decompress(public), decompress(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if point is None or commitment is None or s >= L:
        return False
    challenge = hash_to_scalar(signature[:32] + public + message)
    return equal(multiply(s, BASE), add(commitment, multiply(challenge, point)))
