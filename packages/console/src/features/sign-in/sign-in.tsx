import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { callPage, type Person, personOf } from '../../api/client';
import { providerQuery, queryClient, sessionQuery } from '../../api/queries';
import { errorText } from '../../ui/values/format';
import { Logo } from '../../ui/icon';
import { useTitle } from '../../ui/page';
import { Failure } from '../../ui/states';

const ASK = 'Ask an owner or admin of this instance.';

/** Why a sign-in with the identity provider was refused, by the word in the address. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['unavailable', 'The identity provider cannot be reached. Try again later, or sign in with your password.'],
  ['busy', 'Sign-in is not available right now. Try again in a moment.'],
  ['expired', 'This sign-in has expired or was started in another browser. Try again.'],
  ['declined', 'The sign-in was cancelled at the identity provider.'],
  ['email-not-verified', 'The identity provider has not verified your email. Verify it there and try again.'],
  ['unknown-user', `There is no user with your email. ${ASK}`],
  ['no-role', `None of your groups gives you a role. ${ASK}`],
  ['locked', `Your user is locked. ${ASK}`],
  ['other-identity', `The user with your email belongs to another account of the identity provider. ${ASK}`],
]);

/** The refusal in the address, which is removed from it. */
const takeRefusal = (): string | undefined => {
  const [, word] = /^#refused=([a-z-]{1,50})$/.exec(location.hash) ?? [];
  if (word === undefined) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return REFUSALS.get(word) ?? `The identity provider sent an invalid response. ${ASK}`;
};

/** Taken once, outside of rendering: React may render a component that it then discards. */
let refusal = takeRefusal();

/** Email and password, or the identity provider. */
export const SignInForm = ({ then }: { then: (person: Person) => void }) => {
  const provider = useQuery(providerQuery);
  const [failure, setFailure] = useState(() => refusal);
  const [isBusy, setBusy] = useState(false);
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  useEffect(() => {
    refusal = undefined;
    email.current?.focus();
  }, []);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      const body = { email: email.current?.value ?? '', password: password.current?.value ?? '' };
      const person = personOf(await callPage('POST', '/session', body));
      if (person === null) throw new Error('The server answered without the user.');
      then(person);
    } catch (error) {
      setFailure(errorText(error));
      if (password.current !== null) password.current.value = '';
      password.current?.focus();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="form" onSubmit={(event) => void submit(event)}>
      {failure !== undefined && <Failure error={failure} />}
      <label className="labelled">
        Email
        <span className="field">
          <input ref={email} type="email" name="email" autoComplete="username" required />
        </span>
      </label>
      <label className="labelled">
        Password
        <span className="field">
          <input ref={password} type="password" name="password" autoComplete="current-password" required />
        </span>
      </label>
      <button type="submit" className="btn primary" disabled={isBusy}>
        Sign in
      </button>
      {typeof provider.data === 'string' && (
        <a className="btn" href="/settings/oidc/begin">
          {provider.data}
        </a>
      )}
    </form>
  );
};

/** The page for signing in. */
export const SignInPage = () => {
  useTitle('Sign in');
  return (
    <main className="alone">
      <div className="card signin">
        <h1 className="brand">
          <Logo />
          Sign in to Weft
        </h1>
        <SignInForm then={(person) => queryClient.setQueryData(sessionQuery.queryKey, person)} />
      </div>
    </main>
  );
};
