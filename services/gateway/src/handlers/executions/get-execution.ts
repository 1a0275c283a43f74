import type { Execution } from '@weft/proto/executions';
import type { Principal } from '@weft/service-kit/auth';
import { InternalError } from '@weft/service-kit/errors';
import type { Clients } from '../../clients';
import type { ApiHandler } from '../api-handler';
import { executionParts } from './execution-data';

const dataParts = async function* (
  execution: Execution,
  principal: Principal,
  clients: Clients,
): AsyncGenerator<string | Uint8Array> {
  let isFirst = true;
  for await (const part of executionParts(execution, principal, clients)) {
    if (isFirst) yield '{"data":';
    isFirst = false;
    yield part;
  }
  yield '}';
};

/**
 * GET /executions/:id: the execution with its run data, `data.resultData.runData`. The status is read first, so that
 * the data is never older than it says.
 */
export const getExecution: ApiHandler = async ({ id, principal }, clients) => {
  const { execution } = await clients.executions.calls.getExecution({ executionId: id }, { principal });
  if (execution === undefined)
    throw new InternalError(new Error('The executions service answered without the execution.'));
  return { status: 200, parts: dataParts(execution, principal, clients) };
};
