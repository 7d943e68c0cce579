// Longer scenarios in this process and against a server side by side, and random ones.
import { afterAll, it } from 'vitest';
import {
  draft,
  expectAgreement,
  families,
  fickle,
  frozen,
  type Rivalry,
  smallQuickstart,
  stopServers,
  unlimited,
} from '../../test/fixtures/against.js';

afterAll(stopServers);

it.each<Rivalry>([
  ['the quickstart, smaller', smallQuickstart(1), {}],
  ['the same with another seed', smallQuickstart(2), {}],
  ['families that choose whether to sponsor and to be sponsored', fickle, unlimited],
  ['freezes and empty wallets', frozen, {}],
  ['parents and children', families, unlimited],
  ['a random scenario', draft(1).text, draft(1).protocol],
  ['another', draft(5).text, draft(5).protocol],
])('both drivers have the same outcomes and end in the same state: %s', expectAgreement);
