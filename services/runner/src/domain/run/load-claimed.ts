import { ServiceError } from '@weft/service-kit/errors';
import type { ClaimedExecution } from '../claims/claimed-execution';
import { decodeState, type EngineState, initialState, type RunData, type RunThread } from '@weft/engine';
import { SHORT_BYTES } from '@weft/service-kit/json';
import { type ExecutionStore, RunError } from '../claims/held/execution-store';
import type { Reach } from '../claims/shares/reach';
import { asRetried } from './retried-state';
import { readRecords } from './run-input';

/** The stored data of a run is permanently unreadable: the run ends with this error. */
export class RunUnreadable extends RunError {
  constructor(what: string, cause?: unknown) {
    super('RUN_DATA_UNREADABLE', `The run cannot begin: ${what}.`, cause);
  }
}

/** The data that a run begins with. */
export interface LoadedRun {
  readonly claimed: ClaimedExecution;
  readonly state: EngineState;
  readonly records: RunData;
  /** Size of its JSON in bytes. */
  readonly bytes: number;
}

const orUnreadable = async <Result>(what: string, read: Promise<Result>): Promise<Result> => {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ServiceError && error.kind !== 'not-found') throw error;
    throw new RunUnreadable(what, error);
  }
};

const stateOf = ({ checkpoint, startNode }: ClaimedExecution, engineState: Uint8Array): EngineState => {
  if (engineState.length === 0) return initialState(startNode);
  const state = decodeState(engineState);
  return checkpoint === 0 ? asRetried(state) : state;
};

/** Whether a claim references data that must be fetched before its run begins. */
export const hasStoredData = ({ inputChunkId, engineState, engineStateChunkId }: ClaimedExecution): boolean =>
  inputChunkId !== '' || engineStateChunkId !== '' || engineState.length > 0;

/**
 * Fetches data that a claim references: large input and engine state, and the stored node runs. Each run fetches
 * separately, so that unreadable data delays no other.
 * @throws EngineStateUnknown before anything else is read, since the other data may have changed as well;
 * EngineStateUnreadable; RunUnreadable if data is missing or damaged.
 */
export const loadClaimed = async (
  claimed: ClaimedExecution,
  reach: Reach,
  store: Pick<ExecutionStore, 'readChunk' | 'readNodeRuns'>,
  thread: Pick<RunThread, 'takeTurn'>,
): Promise<LoadedRun> => {
  const { inputChunkId, engineStateChunkId } = claimed;
  const chunk = (what: string, id: string, inline: Uint8Array): Promise<Uint8Array> =>
    id === ''
      ? Promise.resolve(inline)
      : orUnreadable(
          `chunk ${id} with its ${what} cannot be found`,
          reach(() => store.readChunk(claimed, id)),
        );
  const [input, engineState] = await Promise.all([
    chunk('input', inputChunkId, claimed.input),
    chunk('stored state', engineStateChunkId, claimed.engineState),
  ]);
  const state = stateOf(claimed, engineState);
  const stored =
    engineState.length === 0
      ? []
      : await orUnreadable(
          'its stored node runs cannot be found',
          reach(() => store.readNodeRuns(claimed)),
        );
  const bytes = input.length + engineState.length + stored.reduce((sum, { recordJson }) => sum + recordJson.length, 0);
  if (bytes - input.length > SHORT_BYTES) await thread.takeTurn();
  return {
    claimed: { ...claimed, input, engineState },
    state,
    bytes,
    records: await orUnreadable('its stored node runs are damaged', Promise.resolve(stored).then(readRecords)),
  };
};
