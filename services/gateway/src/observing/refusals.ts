import type { ServiceError } from '@weft/service-kit/errors';
import { createCounter, createGauge } from '@weft/service-kit/metrics';

const bodyBytes = createGauge({
  name: 'weft_gateway_body_bytes',
  help: 'Bytes of request bodies that are held in memory.',
  labels: {},
});

/** Shows in the metrics how many bytes of bodies are held. */
export const showBodyBytes = (held: () => number): void => void bodyBytes.read(() => [[{}, held()]]);

const REASONS = [
  'queue_full',
  'body_memory',
  'uploads',
  'rate_limited',
  'payload_too_large',
  'unauthorized',
  'forbidden',
  'not_found',
  'invalid_request',
  'timed_out',
  'unavailable',
  'other',
] as const;
type Refusal = (typeof REASONS)[number];

const refused = createCounter({
  name: 'weft_requests_refused_total',
  help: 'Requests that were answered with an error, and webhook calls that were stored for later.',
  labels: { reason: REASONS },
});

const OF_REASON: Readonly<Record<string, Refusal>> = {
  QUEUE_FULL: 'queue_full',
  BODY_MEMORY_FULL: 'body_memory',
  TOO_MANY_UPLOADS: 'uploads',
  RATE_LIMIT_EXCEEDED: 'rate_limited',
  TOO_MANY_SIGN_INS: 'rate_limited',
};
const OF_KIND: Readonly<Record<ServiceError['kind'], Refusal>> = {
  invalid: 'invalid_request',
  unauthenticated: 'unauthorized',
  forbidden: 'forbidden',
  'not-found': 'not_found',
  conflict: 'other',
  precondition: 'other',
  limited: 'unavailable',
  'too-large': 'payload_too_large',
  unavailable: 'unavailable',
  timeout: 'timed_out',
  internal: 'other',
};

/** Counts a request answered with an error. */
export const countRefused = ({ reason, kind }: Pick<ServiceError, 'reason' | 'kind'>): void => {
  refused.inc({ reason: OF_REASON[reason] ?? OF_KIND[kind] });
};

/** Counts a call that was stored because it could not be started. */
export const countStored = countRefused;
