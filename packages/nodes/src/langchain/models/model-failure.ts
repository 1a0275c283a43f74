import { NodeFailure } from '@weft/engine';
import { ModelError, type ModelErrorCode, type ModelEndpoint } from '@weft/models';
import { OutboundError, OutboundRefused } from '@weft/outbound';

/** The call that failed. */
export interface FailedCall {
  /** Undefined if nothing could be called. */
  readonly endpoint: ModelEndpoint | undefined;
  /** Of the run. */
  readonly signal: AbortSignal;
  readonly itemIndex: number;
}

/** Advice for the owner of the workflow, where the message has none. */
const ADVICE: Readonly<Partial<Record<ModelErrorCode, string>>> = {
  RATE_LIMITED: 'Turn on "Retry on fail" for the node that uses the model, or set "Max Retries" in the model.',
  UNAVAILABLE: 'Turn on "Retry on fail" for the node that uses the model, or set "Max Retries" in the model.',
  TRUNCATED_RESPONSE: 'Turn on "Retry on fail" for the node that uses the model.',
};

/**
 * The failure of a call: with the sentence of the service, its status, and advice. Other errors pass unchanged, and so
 * does everything that is thrown once the run is being stopped.
 */
export function modelFailure(thrown: unknown, { endpoint, signal, itemIndex }: FailedCall): unknown {
  if (signal.aborted) return thrown;
  if (thrown instanceof ModelError) {
    const { code, status, retryAfterMs, message } = thrown;
    const description = ADVICE[code];
    return new NodeFailure(message, {
      name: status === undefined ? 'NodeOperationError' : 'NodeApiError',
      itemIndex,
      cause: thrown,
      context: {
        modelError: code,
        ...(status === undefined ? {} : { status, httpCode: String(status) }),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      },
      ...(description === undefined ? {} : { description }),
    });
  }
  if (!(thrown instanceof OutboundError)) return thrown;
  return new NodeFailure(`The model service could not be called: ${thrown.message}`, {
    name: 'NodeApiError',
    itemIndex,
    cause: thrown,
    context: { code: thrown.code },
    description: adviceOn(thrown, endpoint),
  });
}

function adviceOn(error: OutboundError, endpoint: ModelEndpoint | undefined): string {
  if (error.code === 'TIMEOUT') return 'Set "Timeout" in the model, or ask for a shorter response ("Maximum tokens").';
  if (!(error instanceof OutboundRefused)) return 'Check the base URL of the credential.';
  if (error.rule === 'credential-host')
    return (
      `The key goes only to the host of the credential${hostOf(endpoint)}. Set its base URL, or list this host as an ` +
      'allowed host of the credential.'
    );
  return 'An operator can permit the address with OUTBOUND_ALLOW.';
}

const hostOf = (endpoint: ModelEndpoint | undefined): string =>
  endpoint?.allowedHosts === undefined ? '' : ` (${endpoint.allowedHosts.join(', ')})`;
