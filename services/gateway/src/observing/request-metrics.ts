import type { RequestListener, ServerResponse } from 'node:http';
import { CALL_BUCKETS, createGauge, createHistogram } from '@weft/service-kit/metrics';
import { nameRoutes, routeOf } from './route-names';

const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

const active = createGauge({
  name: 'http_server_active_requests',
  help: 'Requests that are not answered yet.',
  labels: {},
});

const classOf = (statusCode: number, isAnswered: boolean): (typeof CLASSES)[number] => {
  if (!isAnswered) return '4xx';
  return CLASSES[Math.floor(statusCode / 100) - 2] ?? '5xx';
};

const UNTIMED = new WeakSet<ServerResponse>();

/** Excludes a response from durations: it lasts as long as its client likes. */
export const excludeFromTiming = (response: ServerResponse): void => void UNTIMED.add(response);

/**
 * Times every request except probes. Its route is the template, never the requested path.
 * @param paths routes with separate series
 */
export const timeRequests = (paths: readonly string[], listener: RequestListener): RequestListener => {
  const seconds = createHistogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from a request to the end of its answer, in seconds. A request that its sender gave up is a 4xx.',
    labels: { route: nameRoutes(paths), class: CLASSES },
    buckets: CALL_BUCKETS,
  });
  let underWay = 0;
  active.read(() => [[{}, underWay]]);
  return (request, response) => {
    const path = request.url ?? '/';
    if (path === '/livez' || path === '/readyz') return listener(request, response);
    const startedAt = performance.now();
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
      if (UNTIMED.has(response)) return;
      const labels = { route: routeOf(request, path), class: classOf(response.statusCode, response.headersSent) };
      seconds.observe(labels, (performance.now() - startedAt) / 1_000);
    });
    return listener(request, response);
  };
};
