import type { IncomingMessage } from 'node:http';

/** Paths of webhooks, forms and MCP servers of workflows. Users choose the addresses below them: each is one route. */
export const INGRESSES = [
  '/webhook/',
  '/webhook-test/',
  '/webhook-waiting/',
  '/form/',
  '/form-waiting/',
  '/form-files/',
  '/chat-files/',
  '/mcp/',
] as const;

const templates = new Set<string>();

/**
 * Names the routes with separate series.
 * @param paths with their parameters in express notation
 * @returns all route names
 */
export const nameRoutes = (paths: readonly string[]): readonly string[] => {
  for (const path of paths) templates.add(path);
  return [...templates, ...INGRESSES.map((path) => `${path}*`), 'other'];
};

/** The template by which express has routed a request. */
const templateOf = (request: IncomingMessage): string | undefined => {
  const route: unknown = Reflect.get(request, 'route');
  if (typeof route !== 'object' || route === null || !('path' in route)) return undefined;
  return typeof route.path === 'string' ? route.path : undefined;
};

/** The name of a request's route, known once it was routed. @param path as requested */
export const routeOf = (request: IncomingMessage, path: string): string => {
  const ingress = INGRESSES.find((prefix) => path.startsWith(prefix));
  if (ingress !== undefined) return `${ingress}*`;
  const template = templateOf(request);
  return template !== undefined && templates.has(template) ? template : 'other';
};
