#!/usr/bin/env python3
"""Writes the golden vectors of this folder, by an implementation that shares nothing with the project's own code.

    python3 spec/golden/make.py            rewrites the JSON files
    python3 spec/golden/make.py --check    writes nothing; exits 1 when a file differs from what would be written

Only Python's standard library is used; Ed25519, secp256k1, Keccak-256 and base58 are written out in maker/.
"""

import json
import sys
from pathlib import Path

# A run leaves nothing behind but the vectors.
sys.dont_write_bytecode = True

from maker import identity, numbers, work  # noqa: E402
from maker.known_answers import check_primitives  # noqa: E402

FOLDER = Path(__file__).resolve().parent
FILES = {
    "beats.json": work.beats,
    "genesis.json": work.genesis,
    "anchors.json": work.anchors,
    "receipts.json": work.receipts,
    "lineage.json": work.lineage,
    "passports.json": identity.passports,
    "messages.json": identity.messages,
    "webhook-signatures.json": identity.webhook_signatures,
    "api-keys.json": identity.api_keys,
    "sigil-names.json": identity.sigil_names,
    "spawn-costs.json": numbers.spawn_costs,
    "fee-tiers.json": numbers.fee_tiers,
    "fee-splits.json": numbers.fee_splits,
    "resync-penalties.json": numbers.resync_penalties,
    "epochs.json": numbers.epochs,
}


def render(file, vectors):
    """The text of a file: one case a line."""
    names = [case["name"] for case in vectors["cases"]]
    if len(set(names)) != len(names):
        raise AssertionError(f"{file}: two cases have the same name")
    compact = [json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in vectors["cases"]]
    head = {key: value for key, value in vectors.items() if key != "cases"}
    opening = json.dumps(head, ensure_ascii=False)[:-1]
    return (opening + ', "cases": [\n' + ",\n".join(compact) + "\n]}\n").encode("utf-8")


def drift(rendered):
    """What --check has to say: a line per file that differs, is missing, or is no vector file of ours."""
    lines = []
    for file, content in rendered.items():
        path = FOLDER / file
        if not path.exists():
            lines.append(f"{file} is missing")
        elif path.read_bytes() != content:
            lines.append(f"{file} differs from what make.py writes")
    strangers = sorted(path.name for path in FOLDER.glob("*.json") if path.name not in rendered)
    return lines + [f"{name} is not written by make.py" for name in strangers]


def main(arguments):
    if arguments not in ([], ["--check"]):
        print("usage: make.py [--check]", file=sys.stderr)
        return 2
    check_primitives()
    rendered = {file: render(file, build()) for file, build in FILES.items()}
    if arguments == ["--check"]:
        lines = drift(rendered)
        for line in lines:
            print(line, file=sys.stderr)
        return 1 if lines else 0
    for file, content in rendered.items():
        (FOLDER / file).write_bytes(content)
    print(f"{len(rendered)} files written to {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
