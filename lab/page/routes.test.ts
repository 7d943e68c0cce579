import { describe, expect, it } from 'vitest';
import { anchorOf } from '../../reports/views/markup.js';
import { addressOf, routeOf, titleOf, wrongTimeOf } from './routes.js';

const MOMENT = 1_767_225_600_000;
const HASH = `0x${'ab'.repeat(32)}`;

describe('addresses of the page', () => {
  it.each([
    ['#overview', 'Overview'],
    ['#server', 'Server'],
    ['#server/flags', 'flags, Server'],
    [`#server/agent/${HASH}`, `agent ${HASH}, Server`],
    ['#server/agent/12?at=2026-01-01T00:00:00.000Z', 'agent 12, Server at 2026-01-01 00:00:00'],
    ['#server/request/88', 'request 88, Server'],
    ['#overview?at=2026-01-01T00:00:00.000Z', 'Overview at 2026-01-01 00:00:00'],
    ['#conformance/clause/heartbeat.error.agent-frozen', 'clause heartbeat.error.agent-frozen, Conformance'],
    ['#conformance/check/heartbeat/too-soon', 'check heartbeat/too-soon, Conformance'],
    ['#conformance/section/4.5', 'section 4.5, Conformance'],
    ['#conformance/exchange/3/heartbeat/too-soon', 'exchange 3/heartbeat/too-soon, Conformance'],
    ['#conformance/run/2', 'run 2, Conformance'],
    ['#conformance?find=too%20soon&verdict=fail', 'Conformance'],
    ['#conformance/check/heartbeat/too-soon?find=%26a%3D1', 'check heartbeat/too-soon, Conformance'],
    ['#specification?verdict=pass', 'Specification'],
    ['#simulation/scenario/sweep/a%20town%3F', 'scenario sweep/a town?, Simulation'],
    ['#specification/clause/dms.freeze', 'clause dms.freeze, Specification'],
  ])('%s is read and written alike', (address, title) => {
    const route = routeOf(address);
    expect(route && addressOf(route)).toBe(address);
    expect(titleOf(route)).toBe(title);
  });

  it('an empty address is the overview, and a moment is in the address', () => {
    expect(routeOf('')).toEqual({ view: 'overview', kind: null, id: '', atMs: null });
    expect(routeOf('#server/requests?at=2026-01-01T00:00:00Z')?.atMs).toBe(MOMENT);
  });

  it.each(['heartbeat.interval.min', 'lives/a b_c', 'wallet/Ø✓'])(
    'an anchor of the static report leads to %s, too',
    (id) => {
      expect(routeOf(`#${anchorOf('check', id)}`)).toEqual({ view: 'conformance', kind: 'check', id, atMs: null });
    },
  );

  it.each([
    '#nowhere',
    '#constructor',
    '#server/',
    '#server/constructor',
    '#server/agent',
    '#server/agent/',
    '#server/agent/0xABC',
    '#server/agent/<script>',
    '#server/flags/1',
    '#server/request/1e3',
    '#conformance/exchange/x/heartbeat/too-soon',
    '#conformance/clause/%',
    '#conformance/clause/%00',
    `#conformance/clause/${'x'.repeat(201)}`,
    '#conformance?at=2026-01-01T00:00:00Z',
    '#conformance?find=',
    '#conformance?find=a&find=b',
    '#conformance?verdict=good',
    '#conformance?find=%00',
    '#server?find=a',
    '#server?at=yesterday',
    '#server?at=2026-13-01T00:00:00Z',
    '#server?at=2026-01-01T00:00:00Z&x=1',
    '#server?at=2026-01-01T00:00:00Z?',
    '#check-x_ffffffff_',
    '#code=abc',
    '#?',
  ])('%s is no address of the page', (address) => {
    expect(routeOf(address)).toBeUndefined();
    expect(titleOf(routeOf(address))).toBe('No such address');
  });

  it('says of an address with a time that is none which text that is', () => {
    expect(wrongTimeOf('#server?at=yesterday')).toBe('yesterday');
    expect(wrongTimeOf('#overview?at=2026-13-01T00:00:00Z')).toBe('2026-13-01T00:00:00Z');
    expect(wrongTimeOf('#nowhere?at=yesterday')).toBeUndefined();
    expect(wrongTimeOf('#server?at=2026-01-01T00:00:00Z')).toBeUndefined();
  });
});
