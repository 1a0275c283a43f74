import { ExecutionServiceService } from '@weft/proto/executions';
import type { TokenSigner } from '@weft/service-kit/auth';
import { createCaller } from '@weft/service-kit/grpc';
import type { CheckClaim } from '../domain/credentials/use-credential';

/** The part of the executions service that this service needs. */
export interface ExecutionsClient {
  readonly checkClaim: CheckClaim;
  readonly close: () => void;
}

const DEADLINE_MS = 5_000;

/** Connects to the executions service. @param target gRPC target */
export const createExecutionsClient = (target: string, sign: TokenSigner): ExecutionsClient => {
  const { calls, close } = createCaller(ExecutionServiceService, {
    service: 'executions',
    target,
    sign,
    retried: ['checkClaim'],
  });
  return {
    checkClaim: async ({ executionId, fence, node, credentialId = '', nodeKind }) => {
      const { granted, workflowId, ownerId } = await calls.checkClaim(
        { executionId, fence, node, credentialId, ...(nodeKind === undefined ? {} : { nodeKind }) },
        { deadlineMs: DEADLINE_MS },
      );
      return granted ? { workflowId, ownerId } : undefined;
    },
    close,
  };
};
