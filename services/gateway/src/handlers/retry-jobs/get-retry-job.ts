import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { retryJobText } from './retry-job-json';

/** GET /retry-jobs/:id, an addition: how far a job has come. */
export const getRetryJob: ApiHandler = async ({ id, principal }, { retries }) =>
  dataAnswer(retryJobText((await retries.calls.getRetryJob({ jobId: id }, { principal })).job));
