import fc from 'fast-check';
import { anyStory, type Mistakes } from '../../../test/model/any-story';
import { liveTogether } from '../../../test/model/many-executions';

/** Number of scenarios; MODEL_RUNS=1000 or more tries more than fits into a regular test run. */
const STORIES = Number(process.env['MODEL_RUNS'] ?? 150);
/** Each injected bug is found within this number of scenarios. */
const STORIES_TO_FIND = 120;

const find = (mistakes: Mistakes, numRuns: number) =>
  fc.check(
    fc.asyncProperty(anyStory, (story) => liveTogether(story, mistakes)),
    { numRuns, seed: 17 },
  );

describe('several executions that share batches, claims and runners', () => {
  it('keep their invariants, and none fails because of another', async () => {
    const { failed, counterexample, error } = await find({}, STORIES).then((run) => ({
      ...run,
      error: run.failed ? String(run.errorInstance) : '',
    }));
    expect([failed, error, JSON.stringify(counterexample)]).toEqual([false, '', 'null']);
  });

  const mistakes: readonly (readonly [string, Mistakes, RegExp])[] = [
    ['one refusal for a whole batch', { wholeBatchRefused: true }, /crashes, and lost \d runners|was given up/],
    ['no isolation after a crash', { noIsolation: true }, /healthy run was given up|others may have killed/],
    ['runs that share a process of isolated ones unknown to the service', { untoldSharing: true }, /given up/],
    ['an end without its fence', { noFence: true }, /old fence was accepted/],
  ];
  it.each(mistakes)('are caught violating them with %s', async (_, mistake, finding) => {
    const { failed, errorInstance } = await find(mistake, STORIES_TO_FIND);
    expect([failed, String(errorInstance)]).toEqual([true, expect.stringMatching(finding)]);
  });
});
