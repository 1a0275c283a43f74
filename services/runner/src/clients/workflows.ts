import { VariableServiceService } from '@weft/proto/variables';
import { PutOutcome, StateServiceService, type StateEntry as StoredEntry } from '@weft/proto/workflow-state';
import type { TokenSigner } from '@weft/service-kit/auth';
import { createCaller } from '@weft/service-kit/grpc';
import type { Fenced } from '../domain/claims/held/execution-store';
import type { StateEntry, StateWriteOutcome, StateWrite } from '@weft/engine';

/** The runner's client of the workflows service. Every call carries the claim of a run, and may be repeated. */
export interface WorkflowsClient {
  /** @throws ServiceError if the claim is lost. */
  readonly readState: (claim: Fenced, name: string) => Promise<StateEntry>;
  /** @throws ServiceError if the claim is lost, or the value is too large. */
  readonly writeState: (claim: Fenced, write: StateWrite) => Promise<StateWriteOutcome>;
  /** Variables of the instance, values by key. @throws ServiceError if the claim is lost. */
  readonly readVariables: (claim: Fenced) => Promise<Readonly<Record<string, string>>>;
  readonly close: () => void;
}

const entryOf = (entry: StoredEntry | undefined): StateEntry => ({
  version: entry?.version ?? 0,
  valueJson: entry === undefined || entry.valueJson === '' ? undefined : entry.valueJson,
});

/** Client of the workflows service over gRPC. */
export const createWorkflowsClient = (target: string, sign: TokenSigner): WorkflowsClient => {
  const { calls, close } = createCaller(StateServiceService, {
    service: 'workflows',
    target,
    sign,
    retried: ['getState', 'putState'],
    background: true,
  });
  const variables = createCaller(VariableServiceService, {
    service: 'workflows',
    target,
    sign,
    retried: ['readVariables'],
    background: true,
  });
  return {
    close: () => {
      close();
      variables.close();
    },
    readVariables: async ({ executionId, fence }) =>
      (await variables.calls.readVariables({ executionId, fence })).values,
    readState: async ({ executionId, fence }, name) =>
      entryOf((await calls.getState({ executionId, fence, name })).entry),
    writeState: async ({ executionId, fence }, { operation, ...write }) => {
      const { outcome, entry } = await calls.putState({ executionId, fence, ...write, operationId: operation });
      if (outcome === PutOutcome.PUT_OUTCOME_WRITTEN) return { kind: 'written' };
      return { kind: outcome === PutOutcome.PUT_OUTCOME_REPEATED ? 'repeated' : 'conflict', entry: entryOf(entry) };
    },
  };
};
