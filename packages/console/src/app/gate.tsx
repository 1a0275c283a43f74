import { useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { sessionEnded } from '../api/client';
import { sessionQuery, setupQuery } from '../api/queries';
import { ErrorState, Loading } from '../ui/states';
import { useStore } from '../ui/store';
import { router } from './router';

const SessionDialog = lazy(() => import('./session-dialog').then((module) => ({ default: module.SessionDialog })));
const SetUp = lazy(() => import('../features/sign-in/set-up').then((module) => ({ default: module.SetUp })));
const SignInPage = lazy(() => import('../features/sign-in/sign-in').then((module) => ({ default: module.SignInPage })));

/** Shows the set-up, the sign-in or the console. */
export const Gate = () => {
  const session = useQuery(sessionQuery);
  const setup = useQuery({ ...setupQuery, enabled: session.data === null });
  const isEnded = useStore(sessionEnded);
  if (session.isError)
    return (
      <main className="alone">
        <ErrorState isPage error={session.error} what="the console" retry={() => void session.refetch()} />
      </main>
    );
  if (session.data === undefined || (session.data === null && setup.isPending))
    return (
      <main className="alone">
        <Loading rows={3} />
      </main>
    );
  if (session.data === null) return <Suspense>{setup.data === true ? <SetUp /> : <SignInPage />}</Suspense>;
  return (
    <>
      <RouterProvider router={router} />
      <Suspense>{isEnded && <SessionDialog />}</Suspense>
    </>
  );
};
