import type { Principal } from '@weft/service-kit/auth';
import { credentialUseCases, type CredentialPorts, type CredentialUseCases } from './credentials';
import { withinReach, type FindReach } from './reach';
import { createTestCredential, type TestCredential, type TestCredentialPorts } from './test-credential';

/** Dependencies of the use cases. */
export interface ManageCredentialPorts extends CredentialPorts, Omit<TestCredentialPorts, 'credentials'> {
  readonly findReach: FindReach;
}

/** What a user may do with the credentials within reach. */
export interface ManagedCredentials extends CredentialUseCases {
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
    return {
      ...credentialUseCases(ports, { user, reach }),
      testCredential: createTestCredential({ ...ports, credentials: withinReach(ports.credentials, reach) }, user),
    };
  };
