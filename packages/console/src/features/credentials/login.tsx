import type { Credential, CredentialType } from '@weft/client';
import { weft } from '../../api/client';
import { Form } from '../../ui/forms/form';
import { Icon } from '../../ui/icon';

/** Whether a user has to sign in with a credential; nothing for credentials that no user signs in with. */
export const LoginState = ({ credential: { login } }: { credential: Pick<Credential, 'login'> }) => {
  if (login === undefined) return null;
  return login === 'needsLogin' ? (
    <span className="st error">
      <Icon name="error" />
      Needs sign-in
    </span>
  ) : (
    <span className="st success">
      <Icon name="success" />
      Signed in
    </span>
  );
};

/** True if the console can offer to sign in with a credential. */
export const maySignIn = ({ login }: Pick<Credential, 'login'>, type: CredentialType | undefined): boolean =>
  login !== undefined || (type?.applied === 'oauth2' && type.request?.['oauth2'] !== undefined);

/** Leads the browser to the service of a credential, which leads it back to the console. */
export const Login = ({ credential }: { credential: Credential }) => {
  const start = async (): Promise<void> => {
    const { data } = await weft.call('startLogin', { path: { id: credential.id } });
    location.assign(data.url);
    // The button stays busy until the browser has left.
    await new Promise(() => undefined);
  };
  return (
    <Form action={credential.login === 'signedIn' ? 'Sign in again' : 'Sign in'} submit={start}>
      <p>
        <LoginState credential={credential} />
      </p>
      {credential.loginMessage !== undefined && <p className="soft">{credential.loginMessage}</p>}
      <p className="soft">
        Opens the page of the service. It must know this address as a redirect URI:{' '}
        <code>{`${location.origin}/rest/oauth2-credential/callback`}</code>
      </p>
    </Form>
  );
};
