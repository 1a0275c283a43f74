import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { retryJobText } from './retry-job-json';

/** POST /retry-jobs/:id/cancel, an addition: ends a job; what it has retried goes on. */
export const cancelRetryJob: ApiHandler = async ({ id, principal }, { retries }) =>
  dataAnswer(retryJobText((await retries.calls.cancelRetryJob({ jobId: id }, { principal })).job));
