import { withNextCaller } from './caller';
import { encodeState, type EngineState } from './engine/engine-state';
import type { AwaitRequest } from './engine/node';
import { hashOfToken } from './engine/run-memory';
import type { RunPause } from './execution-store';

/**
 * What is stored of a wait: the state the run goes on from, and what wakes it. Of a token nothing but its hash can be
 * looked up.
 */
export const pauseOf = (
  wish: AwaitRequest,
  state: EngineState,
): Pick<RunPause, 'engineState' | 'resumeAt' | 'resumeTokenHash' | 'resumeSettings' | 'childExecutionId'> => {
  switch (wish.kind) {
    case 'timer':
      return { engineState: encodeState(state), resumeAt: new Date(wish.at) };
    case 'child':
      return { engineState: encodeState(state), childExecutionId: wish.executionId };
    case 'webhook':
      return {
        engineState: encodeState(withNextCaller(state, wish.answer)),
        resumeTokenHash: hashOfToken(wish.token),
        resumeSettings: JSON.stringify(wish.settings),
        ...(wish.at === undefined ? {} : { resumeAt: new Date(wish.at) }),
      };
  }
};
