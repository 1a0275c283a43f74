import { PutOutcome, type StateServiceService } from '@weft/proto/workflow-state';
import type { Handlers } from '@weft/service-kit/grpc';
import type { PutResult, StateUseCases } from '../domain/versions/persistent-state';

const OUTCOMES: Readonly<Record<PutResult['outcome'], PutOutcome>> = {
  written: PutOutcome.PUT_OUTCOME_WRITTEN,
  repeated: PutOutcome.PUT_OUTCOME_REPEATED,
  conflict: PutOutcome.PUT_OUTCOME_CONFLICT,
};

/** StateService over gRPC. */
export const stateHandlers = ({ getState, putState }: StateUseCases): Handlers<typeof StateServiceService> => ({
  getState: async ({ executionId, fence, name }) => {
    const entry = await getState({ executionId, fence }, name);
    return { entry: { version: entry?.version ?? 0, valueJson: entry?.valueJson ?? '' } };
  },
  putState: async ({ executionId, fence, ...write }) => {
    const { outcome, entry } = await putState({ executionId, fence }, write);
    return {
      outcome: OUTCOMES[outcome],
      entry: { version: entry?.version ?? 0, valueJson: outcome === 'written' ? '' : (entry?.valueJson ?? '') },
    };
  },
});
