import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { callPage } from '../../api/client';
import { queryClient } from '../../api/queries';
import { notify } from '../../ui/overlays/toast';
import { PageHead } from '../../ui/page';
import { Loading, PageState } from '../../ui/states';
import { errorText } from '../../ui/values/format';
import { isRecord } from '../../ui/values/json';

/** What the service sent with the browser, which is removed from the address. */
const takeReturned = (): Readonly<Record<string, string>> => {
  const returned = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  history.replaceState(null, '', location.pathname);
  return returned;
};

/** Taken once, outside of rendering: React may render a component that it then discards. */
let returned: Readonly<Record<string, string>> | undefined;

interface Finished {
  readonly id: string;
  readonly name: string;
}

const finish = async (): Promise<Finished> => {
  returned ??= takeReturned();
  const finished = await callPage('POST', '/oauth2', returned);
  if (!isRecord(finished) || typeof finished['id'] !== 'string' || typeof finished['name'] !== 'string')
    throw new Error('The server answered without the credential.');
  return { id: finished['id'], name: finished['name'] };
};

/** Completes a sign-in with a credential, and shows the credential. */
export const LoginReturnPage = () => {
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['finished-login'],
    queryFn: finish,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const finished = query.data;
  useEffect(() => {
    if (finished === undefined) return;
    returned = undefined;
    notify(`Signed in with ${finished.name}`);
    void queryClient.invalidateQueries({ queryKey: ['credentials'] });
    void queryClient.invalidateQueries({ queryKey: ['credential', finished.id] });
    void navigate({ to: '/credentials/$id', params: { id: finished.id }, replace: true });
  }, [finished, navigate]);
  return (
    <>
      <PageHead title="Signing in" />
      <div className="page">
        {query.isError ? (
          <PageState
            icon="error"
            tone="error"
            title="The sign-in was not completed"
            actions={
              <Link className="btn" to="/credentials" search={{}}>
                All credentials
              </Link>
            }
          >
            <p>{errorText(query.error)}</p>
          </PageState>
        ) : (
          <Loading label="Completing the sign-in" />
        )}
      </div>
    </>
  );
};
