import { useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { sessionEnded } from '../api/client';
import { sessionQuery, setupQuery } from '../api/queries';
import { forgetInvitation, invitationToken } from '../features/sign-in/invitation';
import { ErrorState, Loading } from '../ui/states';
import { useStore } from '../ui/store';
import { router } from './router';
import { isSignInShown } from './shell';

const SessionDialog = lazy(() => import('./session-dialog').then((module) => ({ default: module.SessionDialog })));
const SetUp = lazy(() => import('../features/sign-in/set-up').then((module) => ({ default: module.SetUp })));
const SignInPage = lazy(() => import('../features/sign-in/sign-in').then((module) => ({ default: module.SignInPage })));

const AcceptInvitation = lazy(() =>
  import('../features/sign-in/accept-invitation').then((module) => ({ default: module.AcceptInvitation })),
);

/** The token of the link that was followed; a link may be opened while the page is already open. */
const useInvitationToken = () => {
  const [token, setToken] = useState(invitationToken);
  useEffect(() => {
    const onHash = (): void => setToken(invitationToken());
    window.addEventListener('hashchange', onHash);
    return () => window.removeEventListener('hashchange', onHash);
  }, []);
  const forget = (): void => {
    forgetInvitation();
    setToken(undefined);
  };
  return { token, forget };
};

/** Shows an invitation, the set-up, the sign-in or the console. */
export const Gate = () => {
  const session = useQuery(sessionQuery);
  const setup = useQuery({ ...setupQuery, enabled: session.data === null });
  const isEnded = useStore(sessionEnded);
  const { token, forget } = useInvitationToken();
  const isSignIn = session.data === null || token !== undefined;
  useEffect(() => {
    if (isSignIn) isSignInShown.set(true);
  }, [isSignIn]);
  if (token !== undefined)
    return (
      <Suspense>
        <AcceptInvitation key={token} token={token} done={forget} />
      </Suspense>
    );
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
