import { encodeState, initialState } from '@weft/engine';
import type { ClaimedExecution, StoredNodeRun } from '../claims/claimed-execution';
import { loadClaimed, RunUnreadable } from './load-claimed';

const CLAIM: ClaimedExecution = {
  executionId: 'e',
  fence: 1,
  workflowId: 'w',
  ownerId: 'o',
  versionId: 'v',
  mode: 'webhook',
  startNode: 'Start',
  input: Buffer.from('[]'),
  inputChunkId: '',
  usePinData: false,
  checkpoint: 1,
  engineState: encodeState(initialState('Start')),
  engineStateChunkId: '',
  resume: new Uint8Array(),
  startedAt: new Date(0),
  responded: false,
  crashes: 0,
};

const runOf = (json: string): StoredNodeRun => ({
  node: 'Start',
  run: 0,
  executionIndex: 0,
  failed: false,
  recordJson: Buffer.from(json),
});

/** Loads runs with the given records. @returns what was loaded, and in how many ticks */
const load = async (...records: readonly string[]) => {
  let turns = 0;
  const loaded = await loadClaimed(
    CLAIM,
    (call) => call(0),
    {
      readChunk: () => Promise.reject(new Error('There are none.')),
      readNodeRuns: () => Promise.resolve(records.map(runOf)),
    },
    { takeTurn: () => Promise.resolve(void (turns += 1)) },
  );
  return { loaded, turns };
};

describe('the data that a run begins with', () => {
  it('is parsed in a separate tick if it is large', async () => {
    const long = JSON.stringify({ text: 'x'.repeat(64 * 1024) });
    const { loaded, turns } = await load(long);
    expect(loaded.records.get('Start')).toEqual([JSON.parse(long)]);
    expect(turns).toBe(1);
    expect((await load('{}')).turns).toBe(0);
  });

  it('ends the run if it is damaged', async () => {
    await expect(load('{')).rejects.toThrow(RunUnreadable);
  });
});
