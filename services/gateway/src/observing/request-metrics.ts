import type { IncomingMessage, RequestListener } from 'node:http';
import { CALL_BUCKETS, createGauge, createHistogram } from '@weft/service-kit/metrics';
import { REST_PATHS } from '../handlers/routes';
import { SETTINGS_PATHS } from '../settings/settings-app';

/** Paths below which addresses are chosen by users: all of them are one route. */
const CHANNELS = ['/webhook/', '/webhook-waiting/', '/form/', '/form-waiting/', '/form-files/'] as const;
const SETTINGS_FILES = '/settings/*';
const ROUTES = [...REST_PATHS, ...SETTINGS_PATHS, ...CHANNELS.map((path) => `${path}*`), SETTINGS_FILES, 'other'];
const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

const known = new Set(ROUTES);
const seconds = createHistogram({
  name: 'http_server_request_duration_seconds',
  help: 'Time from a request to the end of its answer, in seconds. A request that its sender gave up is a 4xx.',
  labels: { route: ROUTES, class: CLASSES },
  buckets: CALL_BUCKETS,
});
const active = createGauge({
  name: 'http_server_active_requests',
  help: 'Requests that are not answered yet.',
  labels: {},
});
/** The template by which express has routed a request. */
const templateOf = (request: IncomingMessage): string | undefined => {
  const route: unknown = Reflect.get(request, 'route');
  if (typeof route !== 'object' || route === null || !('path' in route)) return undefined;
  return typeof route.path === 'string' ? route.path : undefined;
};

/** The template of the route of a request; known once it was routed. @param path as it was asked for */
export const routeOf = (request: IncomingMessage, path: string): string => {
  const channel = CHANNELS.find((prefix) => path.startsWith(prefix));
  if (channel !== undefined) return `${channel}*`;
  const template = templateOf(request);
  if (template !== undefined && known.has(template)) return template;
  return template !== undefined && path.startsWith('/settings') ? SETTINGS_FILES : 'other';
};

const classOf = (statusCode: number, isAnswered: boolean): (typeof CLASSES)[number] => {
  if (!isAnswered) return '4xx';
  return CLASSES[Math.floor(statusCode / 100) - 2] ?? '5xx';
};

/** Times every request but the probes. Its route is the template, never the path that was asked for. */
export const timeRequests = (listener: RequestListener): RequestListener => {
  let underWay = 0;
  active.read(() => [[{}, underWay]]);
  return (request, response) => {
    const path = request.url ?? '/';
    if (path === '/livez' || path === '/readyz') return listener(request, response);
    const startedAt = performance.now();
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
      const labels = { route: routeOf(request, path), class: classOf(response.statusCode, response.headersSent) };
      seconds.observe(labels, (performance.now() - startedAt) / 1_000);
    });
    return listener(request, response);
  };
};
