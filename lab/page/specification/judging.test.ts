import { expect, it } from 'vitest';
import { judgedChange } from '../../../test/fixtures/judged-change.js';
import { judgementVerdict } from './judging.js';

const judged = { ...judgedChange('it is meant'), command: 'aips spec check' };
const ended = { text: 'a: 1', accepted: '', state: 'ended', judged } as const;

it.each([
  ['before a judgement', undefined, 'a: 1', '', ['open', 'Not judged yet']],
  ['the text that was judged', ended, 'a: 1', '', ['good', 'The change passes']],
  ['another text', ended, 'a: 2', '', ['open', 'Not judged since the edit']],
  ['other accepted changes', ended, 'a: 1', 'checks: []', ['open', 'The accepted changes are others now; judge again']],
  ['while it is judged', { ...ended, state: 'running' }, 'a: 2', '', ['open', 'Judging the change']],
  ['a judgement that was stopped', { ...ended, state: 'stopped' }, 'a: 1', '', ['open', 'Stopped']],
] as const)('%s: the verdict is of the text of now alone', (_, latest, text, accepted, expected) => {
  const { tone, word } = judgementVerdict(latest, { text, accepted });
  expect([tone, word]).toEqual(expected);
});
