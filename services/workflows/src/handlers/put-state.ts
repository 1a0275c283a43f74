import { PutOutcome } from '@weft/proto/workflow-state';
import type { PutResult, PutState } from '../domain/state/put-state';
import type { StateMethods } from './state-methods';

const OUTCOMES: Readonly<Record<PutResult['outcome'], PutOutcome>> = {
  written: PutOutcome.PUT_OUTCOME_WRITTEN,
  repeated: PutOutcome.PUT_OUTCOME_REPEATED,
  conflict: PutOutcome.PUT_OUTCOME_CONFLICT,
};

/** PutState over gRPC. */
export const handlePutState =
  (put: PutState): StateMethods['putState'] =>
  async ({ executionId, fence, ...write }) => {
    const { outcome, entry } = await put({ executionId, fence }, write);
    return {
      outcome: OUTCOMES[outcome],
      entry: { version: entry?.version ?? 0, valueJson: outcome === 'written' ? '' : (entry?.valueJson ?? '') },
    };
  };
