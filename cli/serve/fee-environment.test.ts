import { describe, expect, it } from 'vitest';
import { Failure } from '../../runs/host/failure.js';
import { feeVariable, readFeeOverrides } from './fee-environment.js';

describe('fees of the environment', () => {
  it('[fee.environment] have the names of D-53', () => {
    const names = ['SIGIL_NARROW_TASK', 'SIGIL_AUTONOMOUS', 'SIGIL_ORCHESTRATOR', 'HEARTBEAT_TIER1', 'HEARTBEAT_TIER2'];
    const all = [...names, 'HEARTBEAT_TIER3', 'REISSUANCE'].map((name) => `AIPS_FEE_${name}`);
    const found = readFeeOverrides(Object.fromEntries(all.map((name, i) => [name, String(i)])));
    expect(found).toEqual({
      sigil_narrow_task: 0,
      sigil_autonomous: 1,
      sigil_orchestrator: 2,
      heartbeat_tier1: 3,
      heartbeat_tier2: 4,
      heartbeat_tier3: 5,
      reissuance: 6,
    });
    expect(feeVariable('heartbeat_tier1')).toBe('AIPS_FEE_HEARTBEAT_TIER1');
  });

  it('are nothing where none is set', () => {
    expect(readFeeOverrides({ PATH: '/bin', AIPS_FEE_REISSUANCE: '' })).toBeUndefined();
  });

  it.each(['-1', '1.5', 'many', '9007199254740992', '1e3'])('%s is no amount of lamports', (text) => {
    expect(() => readFeeOverrides({ AIPS_FEE_REISSUANCE: text })).toThrow(Failure);
  });
});
