import { createRootRoute, type ErrorComponentProps } from '@tanstack/react-router';
import { ErrorState, PageState } from '../ui/states';
import { reloadOnce } from './reload';
import { Shell } from './shell';

/** A fault of a screen. A missing chunk means that a release replaced it. */
export const ScreenError = ({ error, reset }: ErrorComponentProps) => {
  const message = error instanceof Error ? error.message : '';
  if (/dynamically imported module/i.test(message) && reloadOnce(message)) return null;
  return <ErrorState isPage error={error} what="this screen" retry={reset} />;
};

export const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <PageState isPage icon="search" tone="neutral" title="There is no such page">
      <p>Choose one from the navigation.</p>
    </PageState>
  ),
});
