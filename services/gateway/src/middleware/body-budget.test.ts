import { bodyBudgetMb } from './body-budget';

const MIB = 1024 * 1024;

describe('the bodies that a gateway holds by default', () => {
  it('fit with their copies into the memory of its container', () => {
    expect(bodyBudgetMb(512 * MIB)).toBe(46);
    expect(bodyBudgetMb(1_024 * MIB)).toBe(113);
  });

  it('are never fewer than the largest body, nor more than without a limit', () => {
    expect(bodyBudgetMb(128 * MIB)).toBe(10);
    expect(bodyBudgetMb(64 * 1_024 * MIB)).toBe(128);
  });

  it('are 128 MB where nothing limits the memory, whichever way cgroups say so', () => {
    for (const none of [0, 9_223_372_036_854_771_712, 18_446_744_073_709_551_615]) expect(bodyBudgetMb(none)).toBe(128);
  });
});
