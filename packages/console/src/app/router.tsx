import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { readExecutionSearch, readInspectorSearch } from '../features/executions/search';
import { readEditorSearch } from '../features/editor/search';
import { readWorkflowSearch } from '../features/workflows/search';
import { adminRoutes } from './admin-routes';
import { rootRoute, ScreenError } from './root-route';

const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../features/overview/overview-page'), 'OverviewPage'),
});

const workflowsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/workflows',
  validateSearch: readWorkflowSearch,
  component: lazyRouteComponent(() => import('../features/workflows/workflows-page'), 'WorkflowsPage'),
});

const workflowRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/workflows/$id',
  validateSearch: readEditorSearch,
  component: lazyRouteComponent(() => import('../features/editor/editor-page'), 'EditorPage'),
});

const executionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/executions',
  validateSearch: readExecutionSearch,
  component: lazyRouteComponent(() => import('../features/executions/executions-page'), 'ExecutionsPage'),
});

const executionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/executions/$id',
  validateSearch: readInspectorSearch,
  component: lazyRouteComponent(() => import('../features/executions/execution-page'), 'ExecutionPage'),
});

const statusRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/status',
  component: lazyRouteComponent(() => import('../features/status/status-page'), 'StatusPage'),
});

export const router = createRouter({
  basepath: '/console',
  routeTree: rootRoute.addChildren([
    overviewRoute,
    workflowsRoute,
    workflowRoute,
    executionsRoute,
    executionRoute,
    statusRoute,
    ...adminRoutes,
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenError,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
