// Judges a server from node:test: npm install --save-dev aips-lab, then BASE_URL=http://127.0.0.1:8787 node --test
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bareTarget, conform, conformanceSummary } from 'aips-lab/conformance';

// parseTarget(text, file, sources) reads a target file in place of a URL.
const target = bareTarget(process.env['BASE_URL'] ?? 'http://127.0.0.1:8787');

test('the server registers agents as the specification says', async () => {
  const result = await conform(target, { only: ['register/root', 'status/*'] });
  assert.equal(result.exit_status, 0, conformanceSummary(result, { colour: false }));
});
