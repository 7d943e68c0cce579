// The servers that nobody should have to judge, without those of hostile.slow.
import { describe, it } from 'vitest';
import { closeAfterEach, expectJudged, hostileAt } from '../test/fixtures/hostile-servers.js';

closeAfterEach();

describe('a server that', () => {
  it.each(hostileAt((place) => place % 3 !== 1))('%s', expectJudged);
});
