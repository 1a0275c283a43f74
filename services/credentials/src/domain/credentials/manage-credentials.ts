import type { Principal } from '@weft/service-kit/auth';
import type { AttemptSealer } from '../oauth2/login-attempt';
import { createFinishLogin, type FinishLogin, type FinishLoginPorts } from '../oauth2/finish-login';
import { createStartLogin, type StartLogin, type StartLoginPorts } from '../oauth2/start-login';
import { credentialUseCases, type CredentialPorts, type CredentialUseCases } from './credentials';
import { grantUseCases, type GrantPorts, type GrantUseCases } from './grants';
import { withinReach, type FindReach } from './reach';
import { createTestCredential, type TestCredential, type TestCredentialPorts } from './test-credential';

export interface ManageCredentialPorts
  extends
    CredentialPorts,
    Omit<TestCredentialPorts, 'credentials'>,
    Omit<GrantPorts, 'credentials' | 'sealer'>,
    Omit<StartLoginPorts, 'credentials' | 'attempts'>,
    Omit<FinishLoginPorts, 'credentials' | 'sealer' | 'attempts'> {
  readonly findReach: FindReach;
  readonly attempts: AttemptSealer;
}

/** Operations of a user on the credentials within reach. */
export interface ManagedCredentials extends CredentialUseCases, GrantUseCases {
  readonly testCredential: TestCredential;
  readonly startLogin: StartLogin;
  readonly finishLogin: FinishLogin;
}

/**
 * The use cases for one user, limited to the user's reach. This is the only access to them.
 * @throws Forbidden for a user who manages no credentials
 */
export type ManageCredentials = (user: Principal) => Promise<ManagedCredentials>;

export const createManageCredentials = ({ findReach, ...ports }: ManageCredentialPorts): ManageCredentials =>
  async function manageCredentials(user) {
    const reach = await findReach(user);
    const reached = { ...ports, credentials: withinReach(ports.credentials, reach) };
    return {
      ...credentialUseCases(ports, { user, reach }),
      ...grantUseCases(reached, user),
      testCredential: createTestCredential(reached, user),
      startLogin: createStartLogin(reached, user),
      finishLogin: createFinishLogin(reached, user),
    };
  };
