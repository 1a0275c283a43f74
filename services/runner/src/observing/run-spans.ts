import { randomUUID } from 'node:crypto';
import type { RunDeps, StepOutcome, TracedNode } from '@weft/engine';
import { OutboundError, type OutboundHttp, type OutboundRequest, type OutboundStreams } from '@weft/outbound';
import { currentContext, withContext } from '@weft/service-kit/context';
import { beginPart, beginSpan, type ActiveSpan, withinSpan } from '@weft/service-kit/tracing';
import type { ClaimedExecution } from '../domain/claims/claimed-execution';
import type { RunResult } from '../domain/end/run-result';
import { endAgentSpans, recordedContext, withinAgent } from './agent-spans';
import { observeStream } from '../domain/streams/observe-stream';

/** Maximum node runs of one execution with spans; loops can have a thousand times as many. */
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
    // A later attempt may come days after the request: it gets a separate trace, linked to the first.
    ...(fence > 1 ? { link: traceparent } : { parent: traceparent }),
  });

/** Runs a claimed execution with the id and the trace of the request that started it. */
export const withinRun = async (claimed: ClaimedExecution, run: () => Promise<RunResult>): Promise<RunResult> => {
  const requestId = claimed.requestId ?? randomUUID();
  const span = beginRun(claimed, requestId);
  return withContext({ requestId, ...(span === undefined ? {} : { span }) }, async () => {
    try {
      const result = await run().finally(() => span && endAgentSpans(span));
      span?.note({ 'weft.execution.result': result.kind });
      span?.end(result.kind === 'error' ? 'error' : undefined);
      return result;
    } catch (error) {
      span?.end('unexpected');
      throw error;
    }
  });
};

/**
 * Creates a span for each node run of the current execution, up to a limit, and for agents and their calls. Undefined
 * if it is not recorded.
 * @param tracesContent spans of calls have their arguments and results
 */
export const traceNodes = (tracesContent: boolean): RunDeps['aroundNode'] => {
  const context = recordedContext();
  if (context === undefined) return undefined;
  let count = 0;
  return async (node, run, outcomeOf) => {
    count += 1;
    if (count > MAX_NODE_SPANS) return run();
    return withinAgent(context, node, () => withinNode(node, run, outcomeOf), outcomeOf, { tracesContent });
  };
};

/** Runs a node in a span, below that of the run, of its agent or of its call. */
const withinNode = async <Result>(
  { name, kind }: TracedNode,
  run: () => Promise<Result>,
  outcomeOf: (result: Result) => StepOutcome,
): Promise<Result> => {
  const attributes = { 'weft.node.name': name, 'weft.node.kind': kind ?? 'unknown' };
  const span = beginPart(currentContext(), { name: `node ${kind ?? 'unknown'}`, kind: 'internal', attributes });
  try {
    const result = await withinSpan(span, run);
    span?.end(outcomeOf(result).kind === 'error' ? 'error' : undefined);
    return result;
  } catch (error) {
    span?.end('aborted');
    throw error;
  }
};

/** A request with a span. */
interface TracedRequest<Request> {
  readonly span: ActiveSpan;
  /** The request, with the trace for hosts that are sent it. */
  readonly told: Request;
}

/** Begins the span of a request; undefined if it is not recorded. */
const beginRequest = <Request extends Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'secretHeaders'>>(
  request: Request,
  isTold: (url: URL) => boolean,
  begin: typeof beginPart = beginPart,
): TracedRequest<Request> | undefined => {
  const { method, headers = [], secretHeaders = [] } = request;
  const context = currentContext();
  const url = context?.span === undefined ? null : URL.parse(request.url);
  if (url === null) return undefined;
  const { hostname, port } = url;
  const span = begin(context, {
    name: method,
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'server.address': hostname,
      ...(port === '' ? {} : { 'server.port': Number(port) }),
    },
  });
  if (span === undefined) return undefined;
  const isOwn = headers.some(([name]) => name.toLowerCase() === TRACEPARENT);
  if (isOwn || !isTold(url)) return { span, told: request };
  return {
    span,
    told: {
      ...request,
      headers: [...headers, [TRACEPARENT, span.traceparent] as const],
      // Redirect targets do not receive it.
      secretHeaders: [...secretHeaders, TRACEPARENT],
    },
  };
};

const reasonOf = (error: unknown): string => (error instanceof OutboundError ? error.code : 'unexpected');

const failedStatus = (status: number): string | undefined => (status >= 400 ? String(status) : undefined);

/**
 * Creates a span for each request of a node. Addresses and queries can contain secrets: the span has only the host.
 * @param isTold whether a host is sent the trace in a `traceparent` header
 */
export const traceHttp = (http: OutboundHttp, isTold: (url: URL) => boolean): OutboundHttp => ({
  request: async (request) => {
    const traced = beginRequest(request, isTold);
    if (traced === undefined) return http.request(request);
    const { span, told } = traced;
    try {
      const response = await http.request(told);
      span.note({ 'http.response.status_code': response.status });
      span.end(failedStatus(response.status));
      return response;
    } catch (error) {
      span.end(reasonOf(error));
      throw error;
    }
  },
});

/**
 * The same for streamed responses. Their spans last until the body ends, and have its bytes.
 * @param begin begins spans; for tests
 */
export const traceStreams = (
  streams: OutboundStreams,
  isTold: (url: URL) => boolean,
  begin?: typeof beginPart,
): OutboundStreams => ({
  stream: async (request) => {
    const traced = beginRequest(request, isTold, begin);
    if (traced === undefined) return streams.stream(request);
    const { span, told } = traced;
    try {
      const response = await streams.stream(told);
      let size = 0;
      return observeStream(response, {
        onChunk: (bytes) => {
          size += bytes;
        },
        onEnd: (error) => {
          span.note({ 'http.response.status_code': response.status, 'http.response.body.size': size });
          span.end(error === undefined ? failedStatus(response.status) : reasonOf(error));
        },
      });
    } catch (error) {
      span.end(reasonOf(error));
      throw error;
    }
  },
});
