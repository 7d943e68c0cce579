import { describe, expect, it } from 'vitest';
import { bareTarget, isLoopback, parseTarget, type TargetSources } from './target.js';

/** RFC 8032, 7.1, test 1. */
const SECRET = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const PUBLIC = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

const files: Readonly<Record<string, string>> = {
  'numbers.yaml': 'heartbeat:\n  intervalBeatsMin: 12\n',
  'broken.pem': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  'key.json': JSON.stringify([...Buffer.from(SECRET + PUBLIC, 'hex')]),
};
const sources: TargetSources = {
  env: { CONTROL_TOKEN: 'token-of-control', EMPTY: '', ENDED: 'token-of-control\r\n', BROKEN: 'token-of\nsomething' },
  readText: (path) => files[path],
};
/** `${NAME}`, as a target file writes it. */
const reference = (name: string): string => `$\{${name}}`;
const parse = (text: string) => parseTarget(text, 'target.yaml', sources);

describe('target file', () => {
  it('is judged by the numbers that its dialect brings, and its own over them', () => {
    const read = (more: string) => {
      const parsed = parse(`base_url: http://127.0.0.1:1\ndialect: provenonce\n${more}`);
      return parsed.ok ? parsed.value.protocol : undefined;
    };
    expect(read('')).toMatchObject({ anchor: { graceAnchors: 6 }, limits: { register: { count: 5 } } });
    expect(read('protocol: { anchor: { graceAnchors: 9 } }')).toMatchObject({
      anchor: { graceAnchors: 9 },
      limits: { register: { count: 5 } },
    });
  });

  it('takes every key that the design names', () => {
    const parsed = parse(`
base_url: http://127.0.0.1:8787/
beats_url: http://127.0.0.1:8788
network: mainnet
dialect: provenonce
registration_secret: \${CONTROL_TOKEN}-secret
admin_key: pva_key
partner_key: pvt_key
control: { url: http://127.0.0.1:8789, token: \${CONTROL_TOKEN} }
payments: { kind: control }
client_ip: x-forwarded-for
webhooks: { listen: 127.0.0.1:0 }
unsupported: [partner-webhook]
budget: { requests: 20000, lamports: 100000000000, minutes: 15 }
protocol: { heartbeat: { intervalBeatsMin: 11 } }
`);
    expect(parsed).toMatchObject({
      ok: true,
      value: {
        baseUrl: 'http://127.0.0.1:8787',
        beatsUrl: 'http://127.0.0.1:8788',
        network: 'mainnet',
        registrationSecret: 'token-of-control-secret',
        control: { token: 'token-of-control' },
        payments: { kind: 'control' },
        clientIp: 'x-forwarded-for',
        unsupported: ['partner-webhook'],
        budget: { requests: 20_000, lamports: 100_000_000_000, minutes: 15 },
      },
    });
    if (!parsed.ok) throw new Error('unreachable');
    expect(parsed.value.dialect.name).toBe('provenonce');
    expect(parsed.value.protocol.heartbeat.intervalBeatsMin).toBe(11);
    expect(parsed.value.protocol.heartbeat.epochBeats).toBe(100_000);
  });

  it.each([
    ['admin_key: ', 'adminKey'],
    ['partner_key: ', 'partnerKey'],
    ['registration_secret: ', 'registrationSecret'],
    ['control: { url: http://h:2, token: ', 'control'],
  ])('a secret is taken without a line break at its end, and no other one is: %s', (key, name) => {
    const end = key.includes('{') ? ' }' : '';
    const withValue = (value: string) => parse(`base_url: http://h\n${key}${value}${end}\n`);
    const ended = withValue(`"${reference('ENDED')}"`);
    const value = ended.ok ? ended.value[name as 'adminKey' | 'control'] : undefined;
    expect(typeof value === 'object' ? value.token : value).toBe('token-of-control');
    const line = /^must be one line of printable characters/;
    for (const bad of [
      `"${reference('BROKEN')}"`,
      '"key\\u0000"',
      '"key\\u007f"',
      '"key\\u200b"',
      '"key\\t"',
      '"key "',
    ])
      expect(withValue(bad)).toMatchObject({
        ok: false,
        problems: [{ line: 2, message: expect.stringMatching(line) }],
      });
    if (end === '')
      expect(parse(`base_url: http://h\n${key}|\n  token-of-control\n`)).toMatchObject({
        ok: true,
        value: { [name]: 'token-of-control' },
      });
  });

  it.each([
    ['base_url: http://h/api/v1', 'base_url', '/api/v1'],
    ['base_url: http://h/api/v1/register', 'base_url', '/api/v1'],
    ['base_url: http://h/control/v1/', 'base_url', '/control/v1'],
    ['base_url: http://h\nbeats_url: http://h/api/v1/', 'beats_url', '/api/v1'],
    ['base_url: http://h\ncontrol: { url: http://h/control/v1, token: t }', 'control.url', '/control/v1'],
    ['base_url: http://h\ncontrol: { url: http://h/control/v1/capabilities, token: t }', 'control.url', '/control/v1'],
  ])('%s names the path before which a URL has to end', (text, key, path) => {
    const message = `must end before ${path}: the suite adds the paths itself`;
    expect(parse(text)).toMatchObject({ ok: false, problems: [{ key, message }] });
  });

  it('reads the wallet that pays from a key file', () => {
    const parsed = parse(
      'base_url: http://h\npayments: { kind: solana-rpc, rpc_url: "https://r.example/?key=1", key_file: key.json }\n',
    );
    expect(parsed).toMatchObject({
      ok: true,
      value: { payments: { kind: 'solana-rpc', rpcUrl: 'https://r.example/?key=1', wallet: { publicKeyHex: PUBLIC } } },
    });
    expect(JSON.stringify(parsed)).not.toContain(SECRET);
  });

  it('takes a command, with the environment in its words', () => {
    const text = `base_url: http://h\npayments: { kind: command, command: [pay, '${reference('CONTROL_TOKEN')}'] }\n`;
    expect(parse(text)).toMatchObject({
      value: { payments: { kind: 'command', command: ['pay', 'token-of-control'] } },
    });
  });

  it('reads the numbers from a file', () => {
    const parsed = parse('base_url: http://127.0.0.1:1\nprotocol: numbers.yaml\n');
    expect(parsed.ok && parsed.value.protocol.heartbeat.intervalBeatsMin).toBe(12);
  });

  const faults: readonly (readonly [what: string, text: string, line: number, key: string, message: RegExp])[] = [
    ['no base_url', 'network: devnet\n', 1, 'base_url', /./],
    ['a URL without a scheme', 'base_url: localhost\n', 1, 'base_url', /http/],
    ['an unknown key', 'base_url: http://h\nbogus: 1\n', 2, 'bogus', /not a key/],
    ['an unknown variable', `base_url: http://h\nadmin_key: ${reference('NOPE')}\n`, 2, 'admin_key', /NOPE/],
    ['an empty variable', `base_url: http://h\nadmin_key: ${reference('EMPTY')}\n`, 2, 'admin_key', /EMPTY/],
    ['an unknown dialect', 'base_url: http://h\ndialect: klingon\n', 2, 'dialect', /service, provenonce/],
    [
      'a dialect in place that lacks names',
      'base_url: http://h\ndialect:\n  name: x\n',
      2,
      'dialect.messagePrefix',
      /./,
    ],
    [
      'an unknown number',
      'base_url: http://h\nprotocol:\n  heartbeat:\n    bogus: 1\n',
      4,
      'protocol.heartbeat.bogus',
      /not a key/,
    ],
    ['an overlay file that is not there', 'base_url: http://h\nprotocol: gone.yaml\n', 1, 'protocol', /gone\.yaml/],
    [
      'a ledger without its key',
      'base_url: http://h\npayments:\n  kind: solana-rpc\n  rpc_url: http://r\n',
      2,
      'payments.key_file',
      /./,
    ],
    [
      'a key file that is not there',
      'base_url: http://h\npayments: { kind: solana-rpc, rpc_url: http://r, key_file: gone.json }\n',
      1,
      'payments.key_file',
      /gone\.json cannot be read/,
    ],
    [
      'a ledger that is no URL',
      'base_url: http://h\npayments: { kind: solana-rpc, rpc_url: devnet, key_file: key.json }\n',
      2,
      'payments.rpc_url',
      /http or https URL/,
    ],
    [
      'a command of nothing',
      'base_url: http://h\npayments: { kind: command, command: [] }\n',
      2,
      'payments.command',
      /program/,
    ],
    [
      'control with a key',
      'base_url: http://h\npayments: { kind: control, key_file: k }\n',
      2,
      'payments.key_file',
      /not a key/,
    ],
    [
      'payments of no version',
      'base_url: http://h\npayments:\n  kind: cash\n',
      3,
      'payments.kind',
      /control, solana-rpc, command or none/,
    ],
    ['an unknown network', 'base_url: http://h\nnetwork: testnet\n', 2, 'network', /devnet or mainnet/],
    ['a control without its token', 'base_url: http://h\ncontrol:\n  url: http://c\n', 2, 'control.token', /./],
    ['a header of the connection', 'base_url: http://h\nheaders:\n  Host: x\n', 3, 'headers.Host', /cannot be set/],
    [
      'a header that a key is for',
      'base_url: http://h\nheaders:\n  X-Forwarded-For: x\n',
      3,
      'headers.X-Forwarded-For',
      /client_ip/,
    ],
    [
      'a header that checks leave out',
      'base_url: http://h\nheaders:\n  content-type: x\n',
      3,
      'headers.content-type',
      /leave it out/,
    ],
    ['a header twice', 'base_url: http://h\nheaders:\n  X-A: x\n  x-a: y\n', 4, 'headers.x-a', /twice/],
    ['a header without a name', 'base_url: http://h\nheaders:\n  "x y": x\n', 3, 'headers.x y', /name of a header/],
    ['a header of two lines', 'base_url: http://h\nheaders:\n  x: "a\\r\\nb: c"\n', 3, 'headers.x', /one line/],
    ['a proxy that speaks no HTTP', 'base_url: http://h\nproxy: socks5://p:1\n', 2, 'proxy', /socks5/],
    ['a proxy that is no URL', 'base_url: http://h\nproxy: "http://:1"\n', 2, 'proxy', /URL of an HTTP proxy/],
    [
      'a proxy with a password of no text',
      'base_url: http://h\nproxy: "http://u:%ff@p"\n',
      2,
      'proxy',
      /percent-encoded/,
    ],
    ['an authority that is not there', 'base_url: http://h\nca: gone.pem\n', 1, 'ca', /gone\.pem cannot be read/],
    ['an authority of no certificate', 'base_url: http://h\nca: key.json\n', 1, 'ca', /key\.json holds no certificate/],
    ['a broken certificate', 'base_url: http://h\nca: broken.pem\n', 1, 'ca', /cannot be read/],
    ['a budget of nothing', 'base_url: http://h\nbudget:\n  requests: 0\n', 3, 'budget.requests', /more than 0/],
    ['what is not YAML', 'base_url: [\n', 2, '', /YAML/],
  ];
  it.each(faults)('names file, line and key of %s', (_, text, line, key, message) => {
    const parsed = parse(text);
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    const found = parsed.problems.find((problem) => problem.key === key);
    expect(parsed.problems).toContainEqual(expect.objectContaining({ file: 'target.yaml', key }));
    expect(found?.message).toMatch(message);
    if (line !== 1) expect(found?.line).toBe(line);
  });
});

describe('bare URL', () => {
  it('makes a target that offers nothing else', () => {
    expect(bareTarget('http://example.org/')).toMatchObject({
      baseUrl: 'http://example.org',
      beatsUrl: null,
      payments: { kind: 'none' },
      clientIp: 'none',
    });
    expect(() => bareTarget('ftp://example.org')).toThrow(TypeError);
  });

  it.each([
    ['http://127.0.0.1:8787', true],
    ['http://localhost', true],
    ['http://[::1]:1', true],
    ['https://example.org', false],
    ['http://127.evil.example', false],
  ])('knows whether %s is this machine', (url, expected) => {
    expect(isLoopback(url)).toBe(expected);
  });
});
