import { useState } from 'react';
import { callPage, personOf } from '../../api/client';
import { queryClient, sessionQuery } from '../../api/queries';
import { TextField } from '../../ui/forms/fields';
import { Form } from '../../ui/forms/form';
import { notify } from '../../ui/overlays/toast';

const MIN_LENGTH = 12;
const MAX_LENGTH = 200;

/** Another password of the signed-in user; other browsers have to sign in with it. */
export const ChangePassword = ({ email }: { email: string }) => {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [repeated, setRepeated] = useState('');
  const change = async (): Promise<void> => {
    if (next !== repeated) throw new Error('The two new passwords differ.');
    const answer = await callPage('PUT', '/password', { currentPassword: current, newPassword: next });
    queryClient.setQueryData(sessionQuery.queryKey, personOf(answer));
    for (const clear of [setCurrent, setNext, setRepeated]) clear('');
    notify('Password changed', 'success', 'Your other sessions have ended.');
  };
  return (
    <Form action="Change the password" submit={change}>
      <input
        type="text"
        className="sr"
        autoComplete="username"
        value={email}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <TextField
        name="currentPassword"
        label="Current password"
        type="password"
        value={current}
        change={setCurrent}
        maxLength={MAX_LENGTH}
        autoComplete="current-password"
        isRequired
      />
      <TextField
        name="newPassword"
        label="New password"
        type="password"
        value={next}
        change={setNext}
        minLength={MIN_LENGTH}
        maxLength={MAX_LENGTH}
        autoComplete="new-password"
        hint={`At least ${MIN_LENGTH} characters.`}
        isRequired
      />
      <TextField
        label="Repeat the new password"
        type="password"
        value={repeated}
        change={setRepeated}
        maxLength={MAX_LENGTH}
        autoComplete="new-password"
        isRequired
      />
    </Form>
  );
};
