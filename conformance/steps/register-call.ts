import type { Reply } from '../assertions/reply.js';
import type { Check } from '../trial/check.js';
import { registrationHeaders } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** Registers with a body as it is, in mode 1 unless the body says otherwise. */
export function register(
  t: Trial,
  body: unknown,
  more: { address?: string | undefined; mayLimit?: boolean } = {},
): Promise<Reply> {
  return t.call('register', { body, headers: registrationHeaders(t.session), ...more });
}

/** One fault in a registration, and the body without it. */
export function refusal(
  id: string,
  title: string,
  clauses: readonly string[],
  bodies: (t: Trial) => { readonly bad: unknown; readonly good: unknown },
): Check {
  return {
    id,
    title,
    clauses,
    needs: [],
    registers: 2,
    requests: 2,
    writes: true,
    refusal: true,
    async run(t) {
      const { bad, good } = bodies(t);
      t.refused(await register(t, bad), 'register/VALIDATION', ...clauses);
      t.accepted(await register(t, good));
    },
  };
}
