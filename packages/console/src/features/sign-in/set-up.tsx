import { WeftError } from '@weft/client';
import { type FormEvent, useState } from 'react';
import { callPage, personOf } from '../../api/client';
import { queryClient, sessionQuery, setupQuery } from '../../api/queries';
import { errorText } from '../../ui/values/format';
import { Logo } from '../../ui/icon';
import { useTitle } from '../../ui/page';
import { Failure } from '../../ui/states';

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};

/** Creates the first owner of an instance, once. */
export const SetUp = () => {
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useTitle('Set up');
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const password = textOf(form, 'password');
    if (password !== textOf(form, 'repeat')) return setFailure('The two passwords differ.');
    setBusy(true);
    setFailure(undefined);
    try {
      const body = { setupCode: textOf(form, 'code'), email: textOf(form, 'email'), password };
      queryClient.setQueryData(sessionQuery.queryKey, personOf(await callPage('POST', '/setup', body)));
    } catch (error) {
      setFailure(errorText(error));
      // Another person has created the owner meanwhile: this page shows the sign-in.
      if (error instanceof WeftError && error.status === 409)
        await queryClient.invalidateQueries({ queryKey: setupQuery.queryKey });
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="alone">
      <div className="card signin">
        <h1 className="brand">
          <Logo />
          Set up Weft
        </h1>
        <p className="soft">
          Create the owner of this instance. The set-up code is in the log of the credentials service.
        </p>
        <form className="form" onSubmit={(event) => void submit(event)}>
          {failure !== undefined && <Failure error={failure} />}
          <label className="labelled">
            Set-up code
            <span className="field">
              <input name="code" autoComplete="off" required />
            </span>
          </label>
          <label className="labelled">
            Email
            <span className="field">
              <input type="email" name="email" autoComplete="username" required />
            </span>
          </label>
          <label className="labelled">
            Password
            <span className="field">
              <input type="password" name="password" autoComplete="new-password" minLength={12} required />
            </span>
          </label>
          <label className="labelled">
            Repeat the password
            <span className="field">
              <input type="password" name="repeat" autoComplete="new-password" minLength={12} required />
            </span>
          </label>
          <button type="submit" className="btn primary" disabled={isBusy}>
            Create owner
          </button>
        </form>
      </div>
    </main>
  );
};
