import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import { withoutTrailing } from '../text';
import { createFaultLog, type Logger } from '../logging';

/** Destination and delay of ended spans. */
export interface SpanTarget {
  /** Address of an OTLP receiver over HTTP, without `/v1/traces`. */
  readonly endpoint: string;
  /** Headers of each request to it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum time that spans wait to be sent, in milliseconds. */
  readonly delayMs: number;
  readonly logger: Logger;
}

/** Maximum waiting spans. Further ones are dropped, so that a slow receiver costs bounded memory. */
const MAX_WAITING = 2_048;
/** Number of spans that are sent without further waiting. */
const FULL_BATCH = 1_024;
const SEND_TIMEOUT_MS = 5_000;

/** Sends spans in batches with the OpenTelemetry exporter, and logs losses, which the SDK does not report. */
export const createSpanProcessor = ({ endpoint, headers, delayMs, logger }: SpanTarget): SpanProcessor => {
  const faults = createFaultLog(logger, 'spans could not be sent to the receiver of traces; they are lost');
  const drops = createFaultLog(logger, 'spans end faster than the receiver of traces takes them; some are lost');
  let waiting = 0;
  let dropped = 0;
  const exporter = new OTLPTraceExporter({
    url: `${withoutTrailing(endpoint, '/')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: SEND_TIMEOUT_MS,
  });
  const reporting: SpanExporter = {
    export: (spans, done) => {
      waiting -= spans.length;
      if (dropped > 0) drops.failed({ spans: dropped });
      else drops.worked();
      dropped = 0;
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.SUCCESS) faults.worked();
        else faults.failed({ err: result.error, spans: spans.length });
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor({
    exporter: reporting,
    maxQueueSize: MAX_WAITING,
    maxExportBatchSize: FULL_BATCH,
    scheduledDelayMillis: delayMs,
    exportTimeoutMillis: SEND_TIMEOUT_MS,
  });
  let isClosed = false;
  return {
    onStart: (span, context) => batches.onStart(span, context),
    onEnd: (span) => {
      if (isClosed) return;
      if (waiting >= MAX_WAITING) {
        dropped += 1;
        return;
      }
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => {
      isClosed = true;
      return batches.shutdown();
    },
  };
};
