import { withNextCaller } from './caller';
import { encodeState, type EngineState, hashOfToken, type WaitRequest } from '@weft/engine';
import type { RunPause } from './execution-store';

/**
 * What is stored of a wait: the state the run goes on from, and what wakes it. Of a token nothing but its hash can be
 * looked up.
 */
export const pauseOf = (
  request: WaitRequest,
  state: EngineState,
): Pick<RunPause, 'engineState' | 'resumeAt' | 'resumeTokenHash' | 'resumeSettings' | 'childExecutionId'> => {
  switch (request.kind) {
    case 'timer':
      return { engineState: encodeState(state), resumeAt: new Date(request.at) };
    case 'child':
      return { engineState: encodeState(state), childExecutionId: request.executionId };
    case 'webhook':
      return {
        engineState: encodeState(withNextCaller(state, request.answer)),
        resumeTokenHash: hashOfToken(request.token),
        resumeSettings: request.settings,
        ...(request.at === undefined ? {} : { resumeAt: new Date(request.at) }),
      };
  }
};
