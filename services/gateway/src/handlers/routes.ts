import type { Route } from './api-handler';
import { APP_ROUTES } from './route-rows/apps';
import { CALLER_ROUTES } from './route-rows/caller';
import { CONVERSATION_ROUTES } from './route-rows/conversations';
import { CREDENTIAL_ROUTES } from './route-rows/credentials';
import { DATA_TABLE_ROUTES } from './route-rows/data-tables';
import { DELIVERY_ROUTES } from './route-rows/deliveries';
import { EVENT_SUBSCRIPTION_ROUTES } from './route-rows/event-subscriptions';
import { EXECUTION_ROUTES } from './route-rows/executions';
import { NODE_TYPE_ROUTES } from './route-rows/node-types';
import { PROJECT_ROUTES } from './route-rows/projects';
import { SCHEDULE_ROUTES } from './route-rows/schedules';
import { USER_ROUTES } from './route-rows/users';
import { VARIABLE_ROUTES } from './route-rows/variables';
import { LISTENING_ROUTES } from './route-rows/listening';
import { WORKFLOW_ROUTES } from './route-rows/workflows';

/** Every endpoint below /api/v1. The OpenAPI document is generated from these rows: see docs/guides/openapi.md. */
export const ROUTES: readonly Route[] = [
  ...WORKFLOW_ROUTES,
  ...CONVERSATION_ROUTES,
  ...LISTENING_ROUTES,
  ...EXECUTION_ROUTES,
  ...EVENT_SUBSCRIPTION_ROUTES,
  ...SCHEDULE_ROUTES,
  ...DELIVERY_ROUTES,
  ...NODE_TYPE_ROUTES,
  ...APP_ROUTES,
  ...CREDENTIAL_ROUTES,
  ...VARIABLE_ROUTES,
  ...DATA_TABLE_ROUTES,
  ...PROJECT_ROUTES,
  ...USER_ROUTES,
  ...CALLER_ROUTES,
];

/** Common prefix of the API's paths. */
export const API_ROOT = '/api/v1';

/** Path of the OpenAPI document. */
export const DOCUMENT_PATH = '/openapi.json';

/** The paths, with their parameters in express notation. */
export const REST_PATHS: readonly string[] = [
  ...new Set([...ROUTES.map(({ path }) => API_ROOT + path), API_ROOT + DOCUMENT_PATH]),
];
