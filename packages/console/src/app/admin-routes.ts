import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readNewCredentialSearch, readOwnerSearch } from './admin-search';
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

/** Screens for administration. */
export const adminRoutes = [credentialsRoute, newCredentialRoute, credentialRoute] as const;
