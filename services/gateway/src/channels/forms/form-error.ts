import { toServiceError } from '@weft/service-kit/errors';
import type { Logger } from '@weft/service-kit/logging';
import type { ServerResponse } from 'node:http';
import { restErrorOf } from '../../middleware/error-response';
import { refusalPage } from './notices';
import { writePage } from './page-shell';

const TITLES: Readonly<Record<number, string>> = {
  400: 'This cannot be read',
  401: 'Please sign in',
  403: 'You may not use this form',
  404: 'There is no form here',
  409: 'This was sent already',
  413: 'This is too large',
};

/** What happened, for somebody who only wants to fill in a form. */
const textOf = (status: number, message: string): string => {
  if (status === 404) return 'The address may be mistyped, or the form is no longer open.';
  if (status === 409) return 'This form was sent before, with other answers. Open it anew to send it again.';
  if (status === 500) return 'That is our fault, not yours. Please try again later.';
  if (status === 503) return 'There is too much to do right now. Please try again in a moment.';
  return message;
};

/** Answers a request for a form with an error, as a page. */
export const writeFormError = (response: ServerResponse, thrown: unknown, logger: Logger): void => {
  const error = toServiceError(thrown);
  const { status } = restErrorOf(error);
  if (status === 500) logger.error({ reason: error.reason, err: error.cause ?? error }, 'form failed');
  else logger.debug({ reason: error.reason, status }, 'form refused');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (status === 503) response.setHeader('retry-after', error.retryAfterSeconds ?? 5);
  writePage(response, refusalPage(status, TITLES[status] ?? 'This did not work', textOf(status, error.message)));
};
