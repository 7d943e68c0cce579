// A service on which registration is open and tokens go unread: their clauses are not judged, and no acceptance holds them.
import { expect, it } from 'vitest';
import { cheap, loadReference, startInProcess } from '../in-process/reference.js';
import type { Transport } from '../wire/transport.js';
import { conform } from './runner.js';

it('holds no clause about the use of a token that nobody reads', async () => {
  const { target, send, close } = startInProcess(await loadReference(), { seed: 3, numbers: cheap });
  const unread: Transport = (request) => {
    const { 'x-registration-token': _, ...headers } = request.headers;
    return send({ ...request, headers });
  };
  const only = ['register-token/once', 'register-token/window'];
  const { clauses } = await conform(target, {
    seed: 3,
    only,
    toolVersion: 'test',
    nowWallMs: Date.now,
    transport: unread,
  });
  await close();
  const judged = clauses.filter(({ id, state }) => /^register-token\.use\./.test(id) && state !== 'not-judged');
  expect(judged).toEqual([]);
  const decision = clauses.find(({ id }) => id === 'register.error.auth-invalid.token');
  expect(decision?.state).toBe('fails');
});
