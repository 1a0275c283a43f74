import type { ServerResponse } from 'node:http';

/** Response header of webhooks and forms with the id of the execution. */
export const EXECUTION_HEADER = 'x-weft-execution-id';

/**
 * Names the execution in the response, whatever the workflow makes of the body. Workflows cannot set this header.
 * @param executionId undefined or empty: there is none
 */
export const nameExecution = (response: ServerResponse, executionId: string | undefined): void => {
  if (executionId === undefined || executionId === '' || response.headersSent) return;
  response.setHeader(EXECUTION_HEADER, executionId);
};
