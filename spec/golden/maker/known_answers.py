"""Published answers that the primitives must give before any vector is written."""

from . import ed25519, ethereum
from .text import base58, base58_decode, base64url, sha256_hex

# RFC 8032, 7.1: seed, public key, message, signature.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]

KECCAK_EMPTY = "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"
KECCAK_ABC = "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"
# The address of private key 1, in the form of EIP-55.
ADDRESS_OF_ONE = "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"
# The k of RFC 6979 for secp256k1, private key 1 and the SHA-256 of this text, as Bitcoin's test suites give it.
RFC_6979_TEXT = "Satoshi Nakamoto"
RFC_6979_K = 0x8F8A276C19F4149656B280621E358CCE24F5F52542772691EE69063B74F15D15
# The example of `web3.eth.accounts.sign` in the web3.js documentation: private key, message, signature.
WEB3_KEY = 0x4C0883A69102937D6231471B5DBB6204FE5129617082792AE468D01A3F362318
WEB3_SIGNATURE = (
    "0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd"
    "6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c"
)
# draft-msporny-base58, section 5.
BASE58 = [
    (b"Hello World!", "2NEpo7TZRRrLZSi2U"),
    (bytes.fromhex("0000287fb4cd"), "11233QC4"),
]


def expect(what, actual, expected):
    if actual != expected:
        raise AssertionError(f"{what}: expected {expected!r}, got {actual!r}")


def check_primitives():
    """Raises AssertionError at the first primitive that disagrees with its published answer."""
    for seed, public, message, signature in RFC_8032:
        seed_bytes, message_bytes = bytes.fromhex(seed), bytes.fromhex(message)
        expect("RFC 8032 public key", ed25519.public_key(seed_bytes).hex(), public)
        expect("RFC 8032 signature", ed25519.sign(seed_bytes, message_bytes).hex(), signature)
        good = ed25519.verify(bytes.fromhex(public), message_bytes, bytes.fromhex(signature))
        bad = ed25519.verify(bytes.fromhex(public), message_bytes + b"x", bytes.fromhex(signature))
        expect("RFC 8032 verdicts", (good, bad), (True, False))
    expect("keccak of nothing", ethereum.keccak256(b"").hex(), KECCAK_EMPTY)
    expect("keccak of abc", ethereum.keccak256(b"abc").hex(), KECCAK_ABC)
    expect("address of key 1", ethereum.checksum_address(ethereum.public_key(1)), ADDRESS_OF_ONE)
    digest = bytes.fromhex(sha256_hex(RFC_6979_TEXT))
    expect("RFC 6979 k", next(ethereum.deterministic_k(1, digest)), RFC_6979_K)
    expect("web3.js signature", ethereum.personal_sign(WEB3_KEY, b"Some data"), WEB3_SIGNATURE)
    for data, digits in BASE58:
        expect("base58", base58(data), digits)
        expect("base58 back", base58_decode(digits), data)
    expect("base64url", base64url(b"\xfb\xff\xfe\x00"), "-__-AA")
