import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import { readExecutionSearch, readInspectorSearch } from '../features/executions/search';
import { readEditorSearch } from '../features/editor/search';
import { readWorkflowSearch } from '../features/workflows/search';
import { ErrorState, PageState } from '../ui/states';
import { reloadOnce } from './reload';
import { Shell } from './shell';

/** A fault of a screen. A missing chunk means that a release replaced it. */
const ScreenError = ({ error, reset }: ErrorComponentProps) => {
  const message = error instanceof Error ? error.message : '';
  if (/dynamically imported module/i.test(message) && reloadOnce(message)) return null;
  return <ErrorState isPage error={error} what="this screen" retry={reset} />;
};

const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <PageState isPage icon="search" tone="neutral" title="There is no such page">
      <p>Choose one from the navigation.</p>
    </PageState>
  ),
});

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
