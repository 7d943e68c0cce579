import type { Reply } from '../assertions/reply.js';
import type { Check } from '../trial/check.js';
import { registrationHeaders } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** Registration as the checks of it call it: with a body as it is, with one fault, and with a token that must not open it. */

/** Registers with a body as it is, in mode 1 unless the body says otherwise. */
export function register(
  t: Trial,
  body: unknown,
  more: { address?: string | undefined; mayLimit?: boolean } = {},
): Promise<Reply> {
  return t.call('register', { body, headers: registrationHeaders(t.session), ...more });
}

/**
 * One fault in a registration, and the body without it. `clauses` are those of the refusal; `twin` those for which the
 * success of the other body is evidence, in the order of the check's list.
 */
export function refusal(
  id: string,
  title: string,
  { clauses, twin = [] }: { readonly clauses: readonly string[]; readonly twin?: readonly string[] },
  bodies: (t: Trial) => { readonly bad: unknown; readonly good: unknown },
): Check {
  return {
    id,
    title,
    clauses: [...new Set([...clauses, ...twin])],
    needs: [],
    registers: 2,
    requests: 2,
    writes: true,
    refusal: true,
    async run(t) {
      const { bad, good } = bodies(t);
      t.refused(await register(t, bad), 'register/VALIDATION', ...clauses);
      t.accepted(await register(t, good), ...twin);
    },
  };
}

/**
 * A registration with a token that opens nothing any more, or never did. Where a root may register without any credential,
 * a token opens nothing in the first place: that a bad one is refused there is D-32. So where one is taken, a registration
 * with no credential at all tells whether the clauses of the text are broken or cannot be judged. It costs one registration.
 */
export async function tokenRefused(t: Trial, reply: Reply, ...musts: readonly string[]): Promise<void> {
  const isTaken = reply.status < 400;
  const isGuarded = t.session.target.network === 'mainnet' || (isTaken && (await refusesAnybody(t)));
  const decided = 'register.error.auth-invalid.token';
  if (isTaken && !isGuarded) {
    const assertion = t.shows(decided);
    assertion.refuses(reply);
    t.shows(...musts).unjudged('a root registers here without secret and token, so a token opens nothing (4.2)');
    return;
  }
  t.refused(reply, 'register/AUTH_INVALID', ...musts, decided);
}

/** Whether a root registration without secret and token is refused. */
async function refusesAnybody(t: Trial): Promise<boolean> {
  const reply = await t.call('register', { body: { name: t.word() } });
  return reply.status >= 400;
}
