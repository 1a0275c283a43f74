import { isServing, statusOf } from '../processes/answering';
import type { ServiceName } from './services';

const ANSWER_LIMIT_MS = 1_000;

/**
 * True if the process of that service on a port of 127.0.0.1 reports that it can take work. False without an answer.
 * @param metricsPort where it is asked instead, over HTTP: over TLS its own port refuses callers without a certificate
 */
export async function isHealthy(service: ServiceName, port: number, metricsPort?: number): Promise<boolean> {
  const asked = { host: '127.0.0.1', port: metricsPort ?? port, timeoutMs: ANSWER_LIMIT_MS };
  if (service !== 'gateway' && metricsPort === undefined) return isServing(asked);
  const status = await statusOf(asked, '/readyz');
  return status !== undefined && status >= 200 && status < 300;
}
