import { useQuery } from '@tanstack/react-query';
import { usableCredentialsQuery } from '../../../../api/editor-queries';
import { useMay } from '../../../../api/queries';
import { Icon } from '../../../../ui/icon';
import { CredentialLink } from '../../../credentials/credential-link';
import type { ListProblem } from './list-problem';

/** Why there are no options, and what to do. */
export const ListProblemLine = ({
  problem: { text, next },
  retry,
  credentialId,
}: {
  problem: ListProblem;
  retry?: () => void;
  /** The credential of the request. */
  credentialId?: string | undefined;
}) => {
  const mayRead = useMay('credentials:read');
  const needsLogin = useQuery(usableCredentialsQuery).data?.some(
    ({ id, login }) => id === credentialId && login === 'needsLogin',
  );
  return (
    <div className="oproblem">
      <p className="st error wraps" role="alert">
        <Icon name="error" />
        <span>{text}</span>
      </p>
      <div className="adds">
        {next !== 'none' && retry !== undefined && (
          <button type="button" className="btn sm" onClick={retry}>
            <Icon name="retry" size={12} />
            Try again
          </button>
        )}
        {next === 'credential' && mayRead && credentialId !== undefined && (
          <CredentialLink id={credentialId}>
            {needsLogin === true ? 'Sign in again' : 'Open the credential'}
          </CredentialLink>
        )}
      </div>
    </div>
  );
};
