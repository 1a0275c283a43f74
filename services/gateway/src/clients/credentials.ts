import { CredentialServiceService } from '@weft/proto/credentials';
import type { Caller } from '@weft/service-kit/grpc';
import { createCaller } from '@weft/service-kit/grpc';
import type { Peer } from './peer';

/** What the gateway asks of the credentials service about stored credentials. */
export type CredentialsClient = Caller<typeof CredentialServiceService>;

/** Connects to the credentials service. */
export const createCredentialsClient = (peer: Peer): CredentialsClient =>
  createCaller(CredentialServiceService, {
    service: 'credentials',
    ...peer,
    retried: ['listCredentials', 'getCredential', 'verifyWebhookAuth'],
  });
