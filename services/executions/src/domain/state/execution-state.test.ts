import fc from 'fast-check';
import { ALL_TRANSITIONS, anyHistory, live } from '../../../test/model/histories';
import { createMemoryStore } from '../../../test/model/memory-store';
import type { TransitionName } from './execution-state';
import { END_STATES, isEndState, LIVE_STATES, STATUS_OF, TRANSITIONS } from './execution-state';

/** Number of histories; MODEL_RUNS=800 tries more than fits into a regular test run. */
const HISTORIES = Number(process.env['MODEL_RUNS'] ?? 400);

describe('the state table', () => {
  it('keeps its invariants through any history, and every row of it is used', async () => {
    const seen = new Set<TransitionName>();
    await fc.assert(
      fc.asyncProperty(anyHistory, (history) => live(history, createMemoryStore(), seen)),
      { numRuns: HISTORIES, seed: 7 },
    );
    expect([...seen].sort()).toEqual([...ALL_TRANSITIONS].sort());
  });

  it('has no transitions out of terminal states', () => {
    for (const { from, to } of Object.values(TRANSITIONS)) {
      if (from.some((state) => isEndState(state))) expect(to).toBe('same');
    }
  });

  it('lists each state once, with a status', () => {
    expect([...LIVE_STATES, ...END_STATES].sort()).toEqual(Object.keys(STATUS_OF).sort());
  });
});
