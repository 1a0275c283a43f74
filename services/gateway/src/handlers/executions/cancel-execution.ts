import { InternalError } from '@weft/service-kit/errors';
import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { entryText } from './execution-json';

/**
 * POST /executions/:id/cancel, an addition: ends a run that has not ended, and answers it as a list would show it. One
 * that has ended is answered as it is.
 */
export const cancelExecution: ApiHandler = async ({ id, principal }, { executions }) => {
  const { execution } = await executions.calls.cancelExecution({ executionId: id }, { principal });
  if (execution === undefined)
    throw new InternalError(new Error('The executions service answered without the execution.'));
  return dataAnswer(entryText(execution));
};
