import { createSaturatingOwners } from './saturating-owners';

const saturationOf = (most: number) => {
  const state = { now: 0, isFull: true };
  const told: string[] = [];
  const owners = createSaturatingOwners({
    most,
    isFull: () => state.isFull,
    tell: (ownerId) => told.push(ownerId),
    clock: () => state.now,
  });
  return { state, told, owners };
};

describe('owners with many executions in a runner', () => {
  it('are reported once a second while nearly all slots are used, and others are not', () => {
    const { state, told, owners } = saturationOf(2);
    owners.began('many');
    owners.began('few');
    const leave = owners.began('many');
    owners.tick();
    expect(told).toEqual(['many']);
    state.now = 1_000;
    owners.tick();
    expect(told).toEqual(['many', 'many']);
    leave();
    state.now = 2_000;
    owners.tick();
    expect(told).toEqual(['many', 'many']);
  });

  it('may use all slots that no other owner needs', () => {
    const { state, told, owners } = saturationOf(2);
    state.isFull = false;
    for (let n = 0; n < 5; n += 1) owners.began('many');
    owners.tick();
    expect(told).toEqual([]);
  });

  it('are not reported by a runner with too few slots to share', () => {
    const { told, owners } = saturationOf(0);
    owners.began('one');
    expect(told).toEqual([]);
  });
});
