#!/usr/bin/env python3
"""Plays minimal pairs (pairs.json) on a server, and prints for each clause whether its reply is that of a right one.

    CONTROL_TOKEN=... python3 play.py pairs.json BASE_URL BEATS_URL CONTROL_URL [--only CLAUSE] [--salt TEXT] [--difficulty N]

Exit status: 0 all pass, 1 a clause fails, 2 nothing could be judged. It needs python3-cryptography and nothing else.
"""
import argparse, datetime, hashlib, json, os, re, sys, urllib.error, urllib.request
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
REFERENCE = re.compile(r"\$\{([^}]*)\}")
TYPES = {str: "string", bool: "boolean", int: "number", float: "number", dict: "object", list: "array", type(None): "null"}


class Unplayed(Exception):
    """The script does not come to its last step, so it shows nothing."""


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def base58(data):
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, rest = divmod(number, 58)
        text = ALPHABET[rest] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def at(value, path):
    """The value at a dotted path; raises KeyError if there is none."""
    for part in path.split("."):
        if isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            raise KeyError(path)
    return value


class Play:
    def __init__(self, pair, salt, server):
        self.pair, self.salt, self.server, self.replies = pair, salt, server, []

    def hex(self, name):
        return sha(f"{self.salt}:{name}")

    def key(self, name):
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(self.hex(name)))

    def value(self, reference):
        kind, name, part = (reference.split(".") + ["", ""])[:3]
        if kind == "difficulty":
            return self.server.difficulty
        if kind == "hex":
            return self.hex(name)[: int(part or 64)]
        if kind == "repeat":
            return name * int(part)
        if kind == "wallet":
            public = self.key(name).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
            return base58(public) if part == "address" else public.hex()
        if kind == "chain":
            chain = self.pair["chains"][name]
            beat, anchor = self.text(chain["from"]), self.text(chain["anchor"])
            for nth in range(1, int(part) + 1):
                beat = sha(f"{beat}:{chain['index'] + nth}::{anchor}")
                for _ in range(self.server.difficulty):
                    beat = sha(beat)
            return beat
        paths = reference[len(kind) + 1 :].split("|")
        for path in paths:
            try:
                return at(self.replies[int(kind)], path)
            except KeyError:
                continue
        raise Unplayed(f"the reply to step {kind} has no {' or '.join(paths)}")

    def text(self, text):
        def shown(match):
            value = self.value(match[1])
            return value if isinstance(value, str) else json.dumps(value)

        return REFERENCE.sub(shown, text)

    def filled(self, value):
        if isinstance(value, str):
            whole = REFERENCE.fullmatch(value)
            return self.value(whole[1]) if whole else self.text(value)
        if isinstance(value, list):
            return [self.filled(item) for item in value]
        if isinstance(value, dict):
            if set(value) == {"sign", "text"}:
                return self.key(value["sign"]).sign(self.text(value["text"]).encode()).hex()
            return {name: self.filled(item) for name, item in value.items()}
        return value

    def send(self, step, nth):
        headers = {"content-type": "application/json"} if "body" in step or "raw" in step else {}
        if step.get("to") == "control":
            url = f"{self.server.control}/control/v1{self.text(step['path'])}"
            headers["authorization"] = f"Bearer {self.server.token}"
        else:
            url = (self.server.beats if "to" in step else self.server.base) + self.text(step["path"])
            client = bytes.fromhex(self.hex(f"client {step.get('from', f'step {nth}')}"))
            headers["x-forwarded-for"] = f"10.{client[0]}.{client[1]}.{client[2]}"
            if "key" in step:
                headers["authorization"] = f"Bearer {self.text(step['key'])}"
        headers.update({name: self.text(value) for name, value in step.get("headers", {}).items()})
        body = self.text(step["raw"]) if "raw" in step else json.dumps(self.filled(step["body"])) if "body" in step else None
        for _ in range(step.get("repeat", 1)):
            reply = self.server.call(step["method"], url, {name: value for name, value in headers.items() if value}, body)
        return reply

    def run(self):
        """The reply to the last step."""
        for nth, step in enumerate(self.pair["steps"]):
            status, body = self.send(step, nth)
            if nth + 1 < len(self.pair["steps"]):
                if not has_status(status, step.get("status", "2xx")):
                    raise Unplayed(f"step {nth} ({step['method']} {step['path']}) is answered with {status}")
                self.replies.append(body)
        return status, body

    def differences(self, expect, status, body):
        if not has_status(status, expect["status"]):
            yield f"the status is {status}, not {expect['status']}"
        for test in expect["fields"]:
            try:
                actual = at(body, test["path"])
            except KeyError:
                if "absent" not in test:
                    yield f"{test['path']} is missing"
                continue
            if not self.holds(test, actual, body):
                yield f"{test['path']} is {json.dumps(actual)}, not as {json.dumps({k: v for k, v in test.items() if k != 'path'})}"

    def holds(self, test, actual, body):
        if "absent" in test:
            return False
        if "type" in test:
            return TYPES[type(actual)] in test["type"]
        if "matches" in test:
            return isinstance(actual, str) and re.search(test["matches"], actual, re.ASCII) is not None
        if "minus" in test:
            try:
                return number(actual) - number(at(body, test["minus"])) == test["is"]
            except (KeyError, TypeError, ValueError):
                return False
        return same(actual, self.filled(test["is"]))


def same(one, other):
    """Whether JSON values are equal: true is not 1, but 1.0 is."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, str) and isinstance(other, str) and one.startswith("0x"):
        return one.lower() == other.lower()  # hashes may be written in either case
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def number(value):
    if isinstance(value, str):
        return round(datetime.datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp() * 1000)
    return value


def has_status(status, expected):
    return status // 100 == int(expected[0]) if isinstance(expected, str) else status == expected


class Server:
    def __init__(self, options, difficulty):
        self.base, self.beats, self.control = (url.rstrip("/") for url in (options.base, options.beats, options.control))
        self.token, self.difficulty = os.environ.get("CONTROL_TOKEN", ""), options.difficulty or difficulty

    def call(self, method, url, headers, body):
        request = urllib.request.Request(url, body and body.encode(), headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                status, text = reply.status, reply.read()
        except urllib.error.HTTPError as refusal:
            status, text = refusal.code, refusal.read()
        try:
            return status, json.loads(text)
        except ValueError:
            return status, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("pairs", "base", "beats", "control"):
        parser.add_argument(name)
    parser.add_argument("--only", help="a clause")
    parser.add_argument("--salt", default=os.urandom(6).hex(), help="names and wallets follow from it; by default new ones")
    parser.add_argument("--difficulty", type=int, help="hashes of a beat, where the server has others than the specification")
    options = parser.parse_args()
    with open(options.pairs, encoding="utf-8") as file:
        content = json.load(file)
    if content.get("schema") != "aips-lab/pairs/1":
        raise ValueError(f"{options.pairs} is not a file of aips-lab/pairs/1")
    server = Server(options, content["difficulty"])
    counts = {"pass": 0, "FAIL": 0, "not judged": 0}
    for nth, pair in enumerate(content["pairs"]):
        shows = [each for each in pair["shows"] if options.only in (None, each["clause"])]
        if not shows:
            continue
        play = Play(pair, f"{content['seed']}:{options.salt}:{nth}", server)
        unplayed = None
        try:
            # Limits of an hour count what earlier scripts sent.
            play.send({"to": "control", "method": "POST", "path": "/clock/advance", "body": {"ms": 3_601_000}}, 0)
            reply = play.run()
        except Unplayed as reason:
            unplayed = str(reason)
        for each in shows:
            try:
                found = [] if unplayed else list(play.differences(each["expect"], *reply))
            except Unplayed as reason:
                unplayed = str(reason)
            verdict = "not judged" if unplayed else "FAIL" if found else "pass"
            counts[verdict] += 1
            print(f"{verdict}  {each['clause']}" + (f": {unplayed or '; '.join(found)}" if verdict != "pass" else ""))
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return 1 if counts["FAIL"] else 0 if counts["pass"] else 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, ValueError, KeyError) as error:
        print(f"play.py: {error}", file=sys.stderr)
        sys.exit(2)
