import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import {
  readAuditSearch,
  readDeliverySearch,
  readNotificationSearch,
  readNewCredentialSearch,
  readOwnerSearch,
} from './admin-search';
import { rootRoute } from './root-route';

const credentialsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/credentials',
  validateSearch: readOwnerSearch,
  component: lazyRouteComponent(() => import('../features/credentials/credentials-page'), 'CredentialsPage'),
});

const newCredentialRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/credentials/new',
  validateSearch: readNewCredentialSearch,
  component: lazyRouteComponent(() => import('../features/credentials/new-credential-page'), 'NewCredentialPage'),
});

const credentialRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/credentials/$id',
  component: lazyRouteComponent(() => import('../features/credentials/credential-page'), 'CredentialPage'),
});

const loginReturnRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/oauth2',
  component: lazyRouteComponent(() => import('../features/credentials/login-return-page'), 'LoginReturnPage'),
});

const projectsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects',
  component: lazyRouteComponent(() => import('../features/projects/projects-page'), 'ProjectsPage'),
});

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$id',
  component: lazyRouteComponent(() => import('../features/projects/project-page'), 'ProjectPage'),
});

const peopleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people',
  component: lazyRouteComponent(() => import('../features/people/people-page'), 'PeoplePage'),
});

const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('../features/keys/keys-page'), 'KeysPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('../features/audit/audit-page'), 'AuditPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('../features/account/account-page'), 'AccountPage'),
});

const deliveriesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliveries',
  validateSearch: readDeliverySearch,
  component: lazyRouteComponent(() => import('../features/deliveries/deliveries-page'), 'DeliveriesPage'),
});

const deliveryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliveries/$id',
  component: lazyRouteComponent(() => import('../features/deliveries/delivery-page'), 'DeliveryPage'),
});

const subscriptionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/subscriptions',
  validateSearch: readOwnerSearch,
  component: lazyRouteComponent(() => import('../features/subscriptions/subscriptions-page'), 'SubscriptionsPage'),
});

const subscriptionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/subscriptions/$id',
  validateSearch: readNotificationSearch,
  component: lazyRouteComponent(() => import('../features/subscriptions/subscription-page'), 'SubscriptionPage'),
});

const variablesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/variables',
  validateSearch: readOwnerSearch,
  component: lazyRouteComponent(() => import('../features/variables/variables-page'), 'VariablesPage'),
});

const tablesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tables',
  validateSearch: readOwnerSearch,
  component: lazyRouteComponent(() => import('../features/tables/tables-page'), 'TablesPage'),
});

const tableRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tables/$id',
  component: lazyRouteComponent(() => import('../features/tables/table-page'), 'TablePage'),
});

const schedulesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules',
  component: lazyRouteComponent(() => import('../features/schedules/schedules-page'), 'SchedulesPage'),
});

const appsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/apps',
  component: lazyRouteComponent(() => import('../features/apps/apps-page'), 'AppsPage'),
});

/** Screens for administration. */
export const adminRoutes = [
  credentialsRoute,
  newCredentialRoute,
  credentialRoute,
  loginReturnRoute,
  projectsRoute,
  projectRoute,
  peopleRoute,
  keysRoute,
  auditRoute,
  accountRoute,
  deliveriesRoute,
  deliveryRoute,
  subscriptionsRoute,
  subscriptionRoute,
  variablesRoute,
  tablesRoute,
  tableRoute,
  schedulesRoute,
  appsRoute,
] as const;
