import { bodyBudgetMb } from './body-budget';

const MIB = 1024 * 1024;

describe('the default memory limit for bodies', () => {
  it('lets bodies with their copies fit into the memory of the container', () => {
    expect(bodyBudgetMb(512 * MIB)).toBe(46);
    expect(bodyBudgetMb(1_024 * MIB)).toBe(113);
  });

  it('is never below the largest body, nor above the default without a limit', () => {
    expect(bodyBudgetMb(128 * MIB)).toBe(10);
    expect(bodyBudgetMb(64 * 1_024 * MIB)).toBe(128);
  });

  it('is 128 MB without a memory limit, however cgroups report that', () => {
    for (const none of [0, 9_223_372_036_854_771_712, 18_446_744_073_709_551_615]) expect(bodyBudgetMb(none)).toBe(128);
  });
});
