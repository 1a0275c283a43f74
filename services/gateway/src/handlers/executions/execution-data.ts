import type { Execution } from '@weft/proto/executions';
import type { Principal } from '@weft/service-kit/auth';
import type { Clients } from '../../clients';
import { headText } from './execution-json';

/**
 * One execution with all its run data, as parts of JSON text: the data goes from the service to the client as it
 * comes and is never parsed. Nothing is given before the service has begun to answer.
 */
export const executionParts = async function* (
  execution: Execution,
  principal: Principal,
  { executions }: Clients,
): AsyncGenerator<string | Uint8Array> {
  let isFirst = true;
  for await (const { jsonPart } of executions.calls.readExecutionData(
    { executionId: execution.id },
    { principal, deadlineMs: 30_000 },
  )) {
    if (isFirst) yield `${headText(execution)},"data":`;
    isFirst = false;
    yield jsonPart;
  }
  yield isFirst ? `${headText(execution)},"data":{}}` : '}';
};
