import type { Credential } from '@weft/client';
import { useMay } from '../../api/queries';
import { Icon } from '../../ui/icon';
import { CredentialLink } from './credential-link';

/** Says that nothing can be sent with a credential until a user signs in, and where. */
export const NeedsLogin = ({ credential: { id, loginMessage } }: { credential: Credential }) => {
  const mayWrite = useMay('credentials:write');
  return (
    <div className="oproblem">
      <p className="st error wraps">
        <Icon name="error" />
        <span>This credential needs a sign-in. {loginMessage}</span>
      </p>
      {mayWrite ? (
        <div className="adds">
          <CredentialLink id={id}>Sign in again</CredentialLink>
        </div>
      ) : (
        <p className="faint">A user who manages the credential can sign in.</p>
      )}
    </div>
  );
};
