import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callPage, personOf } from '../../api/client';
import { queryClient, sessionQuery } from '../../api/queries';
import { TextField } from '../../ui/forms/fields';
import { Form } from '../../ui/forms/form';
import { Logo } from '../../ui/icon';
import { useTitle } from '../../ui/page';
import { Loading, PageState } from '../../ui/states';
import { errorText } from '../../ui/values/format';
import { type OpenInvitation, readInvitation } from './invitation';

const AcceptForm = ({
  token,
  invitation: { email, role, isReset },
  done,
}: {
  token: string;
  invitation: OpenInvitation;
  done: () => void;
}) => {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const accept = async (): Promise<void> => {
    if (password !== repeated) throw new Error('The two passwords differ.');
    const person = personOf(await callPage('POST', '/invitation/accept', { token, name, password }));
    // Another person may have been signed in here before.
    queryClient.clear();
    queryClient.setQueryData(sessionQuery.queryKey, person);
    done();
  };
  return (
    <>
      <p className="soft">
        {isReset
          ? 'Setting a new password ends all your sessions.'
          : `You were invited with the role ${role}. Choose a name and a password.`}
      </p>
      <Form action="Set the password and sign in" submit={accept}>
        <TextField
          label="Email"
          type="email"
          value={email}
          change={() => undefined}
          autoComplete="username"
          isReadOnly
        />
        {!isReset && (
          <TextField name="name" label="Name" value={name} change={setName} maxLength={100} autoComplete="name" />
        )}
        <TextField
          name="password"
          label="Password"
          type="password"
          value={password}
          change={setPassword}
          minLength={12}
          maxLength={200}
          autoComplete="new-password"
          hint="At least 12 characters."
          isRequired
        />
        <TextField
          label="Repeat the password"
          type="password"
          value={repeated}
          change={setRepeated}
          maxLength={200}
          autoComplete="new-password"
          isRequired
        />
      </Form>
    </>
  );
};

/** The page that an invitation, or a link for a new password, leads to. */
export const AcceptInvitation = ({ token, done }: { token: string; done: () => void }) => {
  const query = useQuery({
    queryKey: ['invitation', token],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    queryFn: () => readInvitation(token),
  });
  useTitle('Invitation');
  if (query.isError)
    return (
      <main className="alone">
        <PageState
          isPage
          icon="error"
          tone="error"
          title="This link does not work"
          actions={
            <button type="button" className="btn" onClick={done}>
              Sign in
            </button>
          }
        >
          <p>{errorText(query.error)}</p>
        </PageState>
      </main>
    );
  if (query.data === undefined)
    return (
      <main className="alone">
        <Loading rows={3} label="Loading the invitation" />
      </main>
    );
  return (
    <main className="alone">
      <div className="card signin">
        <h1 className="brand">
          <Logo />
          {query.data.isReset ? 'Set a new password' : 'Join Weft'}
        </h1>
        <AcceptForm token={token} invitation={query.data} done={done} />
      </div>
    </main>
  );
};
