import { randomUUID } from 'node:crypto';
import type { RunDeps } from '@weft/engine';
import { OutboundError, type OutboundHttp } from '@weft/outbound';
import { currentContext, withContext } from '@weft/service-kit/context';
import { beginPart, beginSpan, type ActiveSpan, withinSpan } from '@weft/service-kit/tracing';
import type { ClaimedExecution } from '../domain/claims/claimed-execution';
import type { RunResult } from '../domain/settle/run-result';

/** Node runs of one execution that have spans; loops can have a thousand times as many. */
const MAX_NODE_SPANS = 1_000;

const TRACEPARENT = 'traceparent';

const beginRun = (
  { executionId, workflowId, fence, mode, traceparent }: ClaimedExecution,
  requestId: string,
): ActiveSpan | undefined =>
  beginSpan({
    name: 'run execution',
    kind: 'consumer',
    attributes: {
      'weft.request.id': requestId,
      'weft.execution.id': executionId,
      'weft.workflow.id': workflowId,
      'weft.execution.mode': mode,
      'weft.execution.attempt': fence,
    },
    // A later attempt may come days after the request: it is a trace of its own, with a link to that one.
    ...(fence > 1 ? { link: traceparent } : { parent: traceparent }),
  });

/** Runs a claimed execution with the id of the request that started it, and in the trace of that. */
export const withinRun = async (claimed: ClaimedExecution, run: () => Promise<RunResult>): Promise<RunResult> => {
  const requestId = claimed.requestId ?? randomUUID();
  const span = beginRun(claimed, requestId);
  return withContext({ requestId, ...(span === undefined ? {} : { span }) }, async () => {
    try {
      const result = await run();
      span?.note({ 'weft.execution.result': result.kind });
      span?.end(result.kind === 'error' ? 'error' : undefined);
      return result;
    } catch (error) {
      span?.end('unexpected');
      throw error;
    }
  });
};

/** Gives each node run of the execution that runs now a span, up to a limit. Undefined if it is not recorded. */
export const traceNodes = (): RunDeps['aroundNode'] => {
  const context = currentContext();
  if (context?.span?.isRecorded !== true) return undefined;
  let count = 0;
  return async ({ name, kind }, run, hasFailed) => {
    count += 1;
    if (count > MAX_NODE_SPANS) return run();
    const attributes = { 'weft.node.name': name, 'weft.node.kind': kind ?? 'unknown' };
    const span = beginPart(context, { name: `node ${kind ?? 'unknown'}`, kind: 'internal', attributes });
    try {
      const result = await withinSpan(span, run);
      span?.end(hasFailed(result) ? 'error' : undefined);
      return result;
    } catch (error) {
      span?.end('aborted');
      throw error;
    }
  };
};

/**
 * Gives each request of a node a span. Addresses and queries of users can hold secrets: the span has the host alone.
 * @param isTold whether a host is told the trace by a `traceparent` header
 */
export const traceHttp = (http: OutboundHttp, isTold: (url: URL) => boolean): OutboundHttp => ({
  request: async (request) => {
    const { method, headers = [], secretHeaders = [] } = request;
    const context = currentContext();
    const url = context?.span === undefined ? null : URL.parse(request.url);
    if (url === null) return http.request(request);
    const { hostname, port } = url;
    const span = beginPart(context, {
      name: method,
      kind: 'client',
      attributes: {
        'http.request.method': method,
        'server.address': hostname,
        ...(port === '' ? {} : { 'server.port': Number(port) }),
      },
    });
    if (span === undefined) return http.request(request);
    const isOwn = headers.some(([name]) => name.toLowerCase() === TRACEPARENT);
    const told =
      isOwn || !isTold(url)
        ? request
        : {
            ...request,
            headers: [...headers, [TRACEPARENT, span.traceparent] as const],
            // Where a redirect leads is not told.
            secretHeaders: [...secretHeaders, TRACEPARENT],
          };
    try {
      const response = await http.request(told);
      span.note({ 'http.response.status_code': response.status });
      span.end(response.status >= 400 ? String(response.status) : undefined);
      return response;
    } catch (error) {
      span.end(error instanceof OutboundError ? error.code : 'unexpected');
      throw error;
    }
  },
});
