import type { Principal } from '@weft/service-kit/auth';
import { credentialUseCases, type CredentialPorts, type CredentialUseCases } from './credentials';
import { grantUseCases, type GrantPorts, type GrantUseCases } from './grants';
import { withinReach, type FindReach } from './reach';
import { createTestCredential, type TestCredential, type TestCredentialPorts } from './test-credential';

/** Dependencies of the use cases. */
export interface ManageCredentialPorts
  extends CredentialPorts, Omit<TestCredentialPorts, 'credentials'>, Omit<GrantPorts, 'credentials' | 'sealer'> {
  readonly findReach: FindReach;
}

/** What a user may do with the credentials within reach. */
export interface ManagedCredentials extends CredentialUseCases, GrantUseCases {
  readonly testCredential: TestCredential;
}

/**
 * The use cases for one user, which get nothing from beyond the user's reach. There is no other way to them.
 * @throws Forbidden for a user who manages no credentials
 */
export type ManageCredentials = (user: Principal) => Promise<ManagedCredentials>;

/** Creates the way to the use cases. */
export const createManageCredentials = ({ findReach, ...ports }: ManageCredentialPorts): ManageCredentials =>
  async function manageCredentials(user) {
    const reach = await findReach(user);
    const reached = { ...ports, credentials: withinReach(ports.credentials, reach) };
    return {
      ...credentialUseCases(ports, { user, reach }),
      ...grantUseCases(reached, user),
      testCredential: createTestCredential(reached, user),
    };
  };
