import type { RunnerServiceService, StartChildRequest, StartChildResponse } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { isUuid } from '@weft/service-kit/ids';
import { WorkflowNotFound } from '../../domain/state/errors';
import { stateVersionsOf } from '../runs/claims';
import type { ChildRequest, ChildStart, StartChild } from '../../domain/start/start-child';
import { toClaimedMessage } from '../messages/claimed-execution-message';
import { toExecutionMessage } from '../messages/execution-message';

const EMPTY = Buffer.alloc(0);

const requestOf = ({
  parentExecutionId,
  input,
  attempt,
  definition,
  childExecutionId,
  ...request
}: StartChildRequest): ChildRequest => {
  if (definition === undefined && !isUuid(request.workflowId)) throw new WorkflowNotFound(request.workflowId);
  if (request.runnerId === '')
    throw new InvalidRequest('The call is not valid.', [{ field: 'runnerId', message: 'is required' }]);
  return {
    ...request,
    parentId: parentExecutionId,
    input: input,
    attempt: attempt ?? 0,
    engineStateVersions: stateVersionsOf(request.engineStateVersions),
    ...(definition === undefined ? {} : { definition }),
    ...(childExecutionId === undefined ? {} : { knownChildId: childExecutionId }),
  };
};

const responseOf = (started: ChildStart, knownVersionIds: readonly string[]): StartChildResponse => {
  switch (started.kind) {
    case 'ended':
      return {
        childExecutionId: started.child._id,
        next: { $case: 'ended', value: toExecutionMessage(started.child) },
        resultJson: started.result.itemsJson,
        resultInChunk: started.result.isLeftOut === true,
      };
    case 'claimed': {
      const { child, version } = started;
      const isKnown = knownVersionIds.includes(child.versionId);
      return {
        childExecutionId: child._id,
        next: { $case: 'claimed', value: toClaimedMessage(child) },
        version: isKnown ? undefined : version,
        resultJson: EMPTY,
      };
    }
    case 'claimedByOther':
      return { childExecutionId: started.childId, next: { $case: 'claimedByOther', value: true }, resultJson: EMPTY };
    case 'later':
      return { childExecutionId: '', next: { $case: 'retryAt', value: started.at }, resultJson: EMPTY };
  }
};

export const startChildHandler =
  (startChild: StartChild): Handlers<typeof RunnerServiceService>['startChild'] =>
  async (request) =>
    responseOf(await startChild(requestOf(request)), request.knownVersionIds);
