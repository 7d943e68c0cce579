import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as beatsClient from '@provenonce/beats-client';
import { PROVENONCE_TOOLS } from '@provenonce/mcp/tools';
import * as sdk from '@provenonce/sdk';
import * as payer from '@provenonce/sdk/solana';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../runs/host/package.js';

const page = readFileSync(join(packageRoot(), 'docs/interop.md'), 'utf8');

/** The methods of a class and of its objects; those below the line are not for callers. */
function methodsOf(made: { readonly prototype: object }, below: readonly string[] = []): readonly string[] {
  const names = [...Object.getOwnPropertyNames(made), ...Object.getOwnPropertyNames(made.prototype)];
  const own = ['length', 'name', 'prototype', 'constructor', ...below];
  return [...new Set(names)].filter((name) => !own.includes(name) && !/^[A-Z_]+$/.test(name));
}

function functionsOf(module: object): readonly string[] {
  return Object.entries(module).flatMap(([name, value]) => {
    const isClass = typeof value === 'function' && /^[A-Z]/.test(name);
    return typeof value === 'function' && !isClass ? [name] : [];
  });
}

const GETTERS = [
  'head',
  'genesis',
  'beatCount',
  'difficulty',
  'anchorIndex',
  'anchorHash',
  'seed',
  'domainPrefix',
  'historyLength',
];

describe('docs/interop.md names', () => {
  it.each([
    ['functions of the SDK', [...functionsOf(sdk), ...functionsOf(payer)]],
    ['methods of its agent', methodsOf(sdk.BeatAgent, ['computeBeats', 'syncGlobal', 'refreshState', 'api', 'log'])],
    ['methods of its payer', methodsOf(payer.SolanaPayer, ['waitForFinalized'])],
    ['functions of the beats client', functionsOf(beatsClient).filter((name) => name !== 'createBeatsClient')],
    [
      'methods of the beats client',
      Object.keys(beatsClient.createBeatsClient()).filter((name) => name !== '_resolveKey'),
    ],
    ['methods of its chain', methodsOf(beatsClient.LocalBeatChain, GETTERS)],
    ['tools of the MCP server', PROVENONCE_TOOLS.map(({ name }) => name)],
  ])('all %s', (_, names) => {
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
