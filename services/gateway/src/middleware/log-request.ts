import { currentContext, withContext } from '@weft/service-kit/context';
import type { Logger } from '@weft/service-kit/logging';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startOfRequest } from '../clients/send-start';
import { clientAddress, type ProxyTrust } from './client-origin';

/** Maximum characters of a path in a log line. */
const MAX_LOGGED_PATH = 200;

/** Data of a log line other than the request. */
export interface RequestLog extends Pick<ProxyTrust, 'trustProxy'> {
  readonly logger: Logger;
  /** Path without its query; for secret addresses, only the part before the secret. */
  readonly path: string;
  /** True: responses with 5xx are logged as warnings. */
  readonly warnsOfFailures?: boolean;
}

const bytesOf = ({ headers }: IncomingMessage): { readonly bytes?: number } =>
  headers['content-length'] === undefined ? {} : { bytes: Number(headers['content-length']) };

/**
 * Writes one line when the request has ended, in the current context: with the id of the request, the id of the
 * execution it started, and the size of its body if announced. A request whose connection was closed before the
 * response has no status.
 */
export const logRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  { logger, path, trustProxy, warnsOfFailures = false }: RequestLog,
): void => {
  const startedAt = performance.now();
  const context = currentContext();
  const client = clientAddress(request, { trustProxy });
  const write = (): void => {
    const executionId = startOfRequest()?.executionId;
    const hasFailed = response.headersSent && response.statusCode >= 500;
    logger[warnsOfFailures && hasFailed ? 'warn' : 'info'](
      {
        method: request.method,
        path: path.slice(0, MAX_LOGGED_PATH),
        ...(response.headersSent ? { status: response.statusCode } : { aborted: true }),
        ms: Math.round(performance.now() - startedAt),
        client,
        ...bytesOf(request),
        ...(executionId === undefined ? {} : { executionId }),
      },
      'request',
    );
  };
  response.once('close', () => (context === undefined ? write() : withContext(context, write)));
};
