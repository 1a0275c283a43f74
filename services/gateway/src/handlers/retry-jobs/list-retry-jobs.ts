import type { ApiHandler } from '../api-handler';
import { nextCursorText } from '../list-answer';
import { readLimit } from '../read-query';
import { retryJobText } from './retry-job-json';

/** GET /retry-jobs, an addition: one page of the jobs that retry executions, newest first. */
export const listRetryJobs: ApiHandler = async ({ query, principal }, { retries }) => {
  const { jobs, nextCursor } = await retries.calls.listRetryJobs(
    { limit: readLimit(query) ?? 20, cursor: query.get('cursor') ?? '' },
    { principal },
  );
  return {
    status: 200,
    json: `{"data":[${jobs.map(retryJobText).join(',')}],"nextCursor":${nextCursorText(nextCursor)}}`,
  };
};
