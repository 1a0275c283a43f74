import type { ExecutionServiceService } from '@weft/proto/executions';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { withoutBom } from '@weft/service-kit/json';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../../compose';
import { telling } from '../../domain/state/start-outcome';
import type { AwaitResponse } from '../../domain/wait/await-response';
import { checkMetadata, requestOf, toStartedMessage } from './start-execution';
import { waitOptionsOf } from './wait-options';

export const startPartialExecutionHandler =
  (useCases: Within, awaitResponse: AwaitResponse): Handlers<typeof ExecutionServiceService>['startPartialExecution'] =>
  async ({ start, definition, destinationNode, reuseFrom }, context) => {
    if (start === undefined)
      throw new InvalidRequest('The start is missing.', [{ field: 'start', message: 'is required' }]);
    checkMetadata(start);
    const options = waitOptionsOf(start.wait, start.waitMs, () => context.signal);
    const request = {
      start: requestOf(start),
      destinationNode,
      reuseFrom,
      ...(definition === undefined ? {} : { definition: withoutBom(definition) }),
    };
    const { startPartial } = await scopedTo(useCases, context);
    const started = await telling(request.start, (note) =>
      awaitResponse(options, () => note(startPartial(request, context.principal))),
    );
    return { started: toStartedMessage(started), reused: [...started.reused] };
  };
