import type { Logger } from '@weft/service-kit/logging';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clients } from '../clients';
import type { ClientCpu } from '../middleware/limits/client-cpu';
import { clientAddress, type ProxyTrust } from '../middleware/client-origin';
import type { ReadBody } from '../middleware/bodies/read-body';
import { logRequest } from '../middleware/log-request';
import { assignRequestId, runWithinLimit, type UnderWay } from '../middleware/limits/time-limit';
import { traceRequest } from '../observing/request-spans';
import type { HeaderPolicy } from './webhooks/response-headers';
import { restrictHeaders } from './webhooks/write-webhook-answer';
import type { UploadGates } from '../uploads/store-file';

/** Dependencies of the ingresses, the entrances next to the API: webhooks, forms, and the addresses of waiting runs. */
export interface IngressOptions extends ProxyTrust {
  readonly clients: Clients;
  /** True if the API accepts Basic. */
  readonly basicAuth: boolean;
  readonly logger: Logger;
  readonly readBody: ReadBody;
  readonly gateOf: UploadGates;
  readonly requestTimeLimitMs: number;
  readonly underWay: UnderWay;
  /** Headers that workflows may set in their responses. */
  readonly headerPolicy: HeaderPolicy;
  readonly clientCpu: ClientCpu;
}

/** The behaviour of one ingress. */
export interface Ingress {
  /** Prefix of its addresses. */
  readonly root: string;
  /** True if the path after the root is a secret, which must not be logged. */
  readonly isSecret: boolean;
  /** Sets headers on every response, errors included. */
  readonly guard?: (response: ServerResponse) => void;
  readonly receive: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly writeError: (response: ServerResponse, error: unknown, logger: Logger) => void;
}

/**
 * Handles requests without an API key, each with an id, a time limit, and one log line. Those of an address block that
 * uses more than its share of the thread wait for others.
 */
export const openIngress = (
  { logger, requestTimeLimitMs: limitMs, underWay, trustProxy, headerPolicy, clientCpu }: IngressOptions,
  { root, isSecret, guard, receive, writeError }: Ingress,
): RequestListener =>
  function receiveAtIngress(request, response) {
    const requestId = assignRequestId(request, response);
    guard?.(response);
    restrictHeaders(response, headerPolicy);
    const span = traceRequest(request, response, requestId);
    runWithinLimit(response, { requestId, span, limitMs, logger, underWay }, () => {
      const path = isSecret ? `${root}*` : ((request.url ?? root).split('?')[0] ?? root);
      logRequest(request, response, { logger, trustProxy, path, warnsOfFailures: true });
      const client = clientAddress(request, { trustProxy });
      const handle = async (): Promise<void> => {
        clientCpu.begin(client);
        const turn = clientCpu.admit(client);
        if (turn !== undefined) {
          await turn;
          clientCpu.begin(client);
        }
        await receive(request, response);
      };
      handle().catch((error: unknown) => writeError(response, error, logger));
    });
  };
