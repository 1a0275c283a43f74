import {
  type RunPlanRequest,
  StartPurpose as PurposeMessage,
  type PreparedStart,
  type PrepareStartResult,
  type StartRequest as StartRequestMessage,
  type WorkflowServiceService,
} from '@weft/proto/workflows';
import { createBatcher } from '@weft/service-kit/batching';
import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import { toRpcStatus, type Handler } from '@weft/service-kit/grpc';
import type { PrepareStarts, StartRequest } from '../domain/versions/prepare-starts';

/** Maximum requests per call and per query. */
const MAX_STARTS = 500;

/** An error of one request is a value; only an error of all requests rejects. */
interface Outcome {
  readonly prepared: PreparedStart | ServiceError;
}

const fromPurposeMessage = (purpose: PurposeMessage | undefined): Pick<StartRequest, 'purpose'> => {
  if (purpose === PurposeMessage.START_PURPOSE_CALL) return { purpose: 'call' };
  return purpose === PurposeMessage.START_PURPOSE_ERROR ? { purpose: 'error' } : {};
};

const fromPlanMessage = ({ destinationNode, previous }: RunPlanRequest): NonNullable<StartRequest['plan']> => ({
  destinationNode,
  ...(previous === undefined
    ? {}
    : {
        previous: {
          versionId: previous.versionId,
          startNode: previous.startNode,
          hasSucceeded: previous.succeeded,
          usePinData: previous.usePinData,
          runs: new Map(
            previous.nodes.map(({ node, failed, runs, filledOutputs }) => [
              node,
              { status: failed ? 'error' : 'success', runs, filledOutputs },
            ]),
          ),
        },
      }),
});

const fromStartRequestMessage = ({
  workflowId,
  startNode,
  userId,
  role,
  projectIds,
  purpose,
  definition,
  usePinData,
  plan,
}: StartRequestMessage): StartRequest => ({
  workflowId,
  startNode,
  userId,
  role,
  projectIds,
  ...fromPurposeMessage(purpose),
  ...(definition === undefined ? {} : { definition }),
  ...(usePinData === undefined ? {} : { usePinData }),
  ...(plan === undefined ? {} : { plan: fromPlanMessage(plan) }),
});

const toResultMessage = ({ prepared }: Outcome): PrepareStartResult => ({
  result:
    prepared instanceof ServiceError
      ? { $case: 'error', value: toRpcStatus(prepared) }
      : { $case: 'prepared', value: prepared },
});

/** PrepareStarts over gRPC. Concurrent requests, in one or several calls, share one query. */
export const prepareStartsHandler = (
  prepareStarts: PrepareStarts,
): Handler<typeof WorkflowServiceService.prepareStarts> => {
  const prepareOne = createBatcher<StartRequest, Outcome>({
    flush: async (requests) => (await prepareStarts(requests)).map((prepared) => ({ prepared })),
    maxBatch: MAX_STARTS,
    concurrency: 2,
    maxQueued: 10_000,
  });
  return async function handlePrepareStarts({ starts }) {
    if (starts.length > MAX_STARTS)
      throw new InvalidRequest('Too many starts.', [{ field: 'starts', message: `Use at most ${MAX_STARTS} starts.` }]);
    const outcomes = await Promise.all(starts.map((params) => prepareOne(fromStartRequestMessage(params))));
    return { results: outcomes.map(toResultMessage) };
  };
};
