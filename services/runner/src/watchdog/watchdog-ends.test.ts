import { createBlamedRuns } from '../domain/claims/shares/blamed-runs';
import { type PassedOn, readPredecessor } from './predecessor';
import { createWatchdogEnds } from './watchdog-ends';

const run = { executionId: 'e', workflowId: 'w', versionId: 'v', ownerKey: 'owner o', node: 'Blocks' };

describe('the end of a process by its watchdog', () => {
  const logged: unknown[] = [];
  const passedOn: PassedOn[] = [];
  const logger = { error: (...entry: unknown[]) => void logged.push(entry) };
  const passOn = (value: PassedOn): void => void passedOn.push(value);
  beforeEach(() => {
    logged.length = 0;
    passedOn.length = 0;
  });

  it('is logged with workflow, execution and node, blames the run, and keeps its version apart', () => {
    const blamed = createBlamedRuns(() => 0);
    const { ended } = createWatchdogEnds({ blamed, logger, passOn });
    expect(ended('runner', { ms: 512, run })).toEqual({ blamed: { executionId: 'e', node: 'Blocks' } });
    expect(logged).toEqual([[{ process: 'runner', ms: 512, ...run }, 'a run blocked the runner, which was ended']]);
    expect(blamed.isApart({ versionId: 'v', ownerId: 'o', workflowId: 'w' })).toBe(true);
    ended('isolated', { ms: 512, run });
    expect(logged[1]).toEqual([
      { process: 'isolated', ms: 512, ...run },
      'a run blocked its process (isolated), which was ended',
    ]);
    expect(passedOn.at(-1)).toEqual({ ends: { runner: 1, isolated: 1 }, blamed: blamed.all() });
  });

  it('blames no run if several may have blocked the process', () => {
    const blamed = createBlamedRuns(() => 0);
    const { ended } = createWatchdogEnds({ blamed, logger, passOn });
    expect(ended('large_data', { ms: 512 })).toEqual({});
    expect([logged.length, blamed.all()]).toEqual([1, []]);
  });

  it('is known to the program that replaces that of the process, with the ends before it', () => {
    const argument = JSON.stringify({
      ended: { ms: 512, run },
      passedOn: {
        ends: { runner: 2, unknown: 3 },
        blamed: [{ versionId: 'v', ownerKey: 'owner o', lastAt: 1, sharedAt: 1 }],
      },
    });
    const predecessor = readPredecessor(argument);
    expect(predecessor).toEqual({
      ended: { ms: 512, run },
      ends: { runner: 2 },
      blamed: [{ versionId: 'v', ownerKey: 'owner o', lastAt: 1, sharedAt: 1 }],
    });
    if (predecessor === undefined) return;
    const blamed = createBlamedRuns(() => 2, predecessor.blamed);
    createWatchdogEnds({ blamed, logger, passOn, predecessor }).ended('runner', predecessor.ended);
    expect(passedOn.at(-1)?.ends).toEqual({ runner: 3 });
  });

  it('is not assumed for a program that something else started', () => {
    for (const argument of [undefined, '', '--flag', '{}', '{"ended":{}}'])
      expect(readPredecessor(argument)).toBeUndefined();
    expect(readPredecessor('{"ended":{"ms":500},"passedOn":null}')).toEqual({
      ended: { ms: 500 },
      ends: {},
      blamed: [],
    });
  });
});
