import { countRefused } from '../../observing/refusals';
import { toServiceError } from '@weft/service-kit/errors';
import type { Logger } from '@weft/service-kit/logging';
import type { ServerResponse } from 'node:http';
import { startOfRequest } from '../../clients/send-start';
import { nameExecution } from '../../http/execution-header';
import { endAborted, restErrorOf } from '../../middleware/responses/error-response';
import { refusalPage } from './notices';
import { writePage } from './page-shell';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'Please sign in',
  403: 'Access denied',
  404: 'Form not found',
  409: 'Already submitted',
  413: 'Too large',
};

/** The error as text for a user who fills in a form. */
const textOf = (status: number, message: string): string => {
  if (status === 404) return 'The address may be mistyped, or the form is no longer open.';
  if (status === 409)
    return 'This form was already submitted with other answers. Open it again to submit a new response.';
  if (status === 500) return 'An internal error occurred. Please try again later.';
  if (status === 503) return 'The service is busy. Please try again in a moment.';
  return message;
};

/** Answers a form request with an error page. */
export const writeFormError = (response: ServerResponse, thrown: unknown, logger: Logger): void => {
  if (endAborted(response, thrown, logger)) return;
  const error = toServiceError(thrown);
  const { status } = restErrorOf(error);
  countRefused(error);
  if (status === 500) logger.error({ reason: error.reason, err: error.cause ?? error }, 'form failed');
  else logger.debug({ reason: error.reason, status }, 'form refused');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  nameExecution(response, startOfRequest()?.executionId);
  if (status === 503) response.setHeader('retry-after', error.retryAfterSeconds ?? 5);
  writePage(response, refusalPage(status, TITLES[status] ?? 'This did not work', textOf(status, error.message)));
};
