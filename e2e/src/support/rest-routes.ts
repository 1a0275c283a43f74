import { join } from 'node:path';

/** The compiled route table of the gateway. */
const TABLE = join(__dirname, '..', '..', '..', '..', 'services/gateway/dist/src/handlers/routes.js');

const isRoute = (value: unknown): value is { readonly method: string; readonly path: string } =>
  typeof value === 'object' &&
  value !== null &&
  'method' in value &&
  typeof value.method === 'string' &&
  'path' in value &&
  typeof value.path === 'string';

/**
 * Every route below /api/v1 that the gateway serves, as `GET /workflows/:id`. @throws Error if the table is elsewhere
 */
export const restRoutes = (): readonly string[] => {
  const table: unknown = require(TABLE);
  const routes: unknown = typeof table === 'object' && table !== null ? Reflect.get(table, 'ROUTES') : undefined;
  if (!Array.isArray(routes) || routes.length === 0 || !routes.every(isRoute))
    throw new Error(`${TABLE} has no route table.`);
  return routes.map(({ method, path }) => `${method} ${path}`);
};

/** Required query parameters of routes. */
const QUERIES: Readonly<Record<string, (workflowId: string) => string>> = {
  'GET /executions/latest': (workflowId) => `?workflowIds=${workflowId}`,
};

/** Values for the parameters of a route. */
export interface RouteValues {
  readonly id: string;
  /** For the parameter after `:id`. */
  readonly ref: string;
  /** For required lists of workflows. */
  readonly workflowId: string;
}

/** Method and address of a request to a route, below /api/v1. */
export const requestTo = (
  route: string,
  { id, ref, workflowId }: RouteValues,
): readonly [method: string, address: string] => {
  const [method = '', path = ''] = route.split(' ');
  const named = path.replace(':id', encodeURIComponent(id)).replace(/:(?!id\b)\w+/, encodeURIComponent(ref));
  return [method, `${named}${QUERIES[route]?.(workflowId) ?? ''}`];
};
