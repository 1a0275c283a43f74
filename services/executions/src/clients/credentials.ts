import { CredentialServiceService } from '@weft/proto/credentials';
import { ProjectServiceService } from '@weft/proto/projects';
import type { TokenSigner } from '@weft/service-kit/auth';
import { createCaller } from '@weft/service-kit/grpc';
import type { CheckDestination } from '@weft/service-kit/ownership';
import type { SignRequests } from '../domain/notifications/send-due';

/** The part of the credentials service that event subscriptions need. */
export interface CredentialsClient {
  readonly sign: SignRequests;
  readonly checkDestination: CheckDestination;
  readonly close: () => void;
}

const DEADLINE_MS = 5_000;

/** Connects to the credentials service. @param target gRPC target */
export const createCredentialsClient = (target: string, sign: TokenSigner): CredentialsClient => {
  const peer = { service: 'credentials', target, sign };
  const credentials = createCaller(CredentialServiceService, { ...peer, retried: ['signNotifications'] });
  const projects = createCaller(ProjectServiceService, { ...peer, retried: ['checkDestination'] });
  return {
    sign: async ({ id, ownerId, credentialId }, requests) => {
      const { signatures } = await credentials.calls.signNotifications(
        { credentialId, ownerId, subscriptionId: id, messages: [...requests] },
        { deadlineMs: DEADLINE_MS },
      );
      return signatures;
    },
    checkDestination: async (projectId) => {
      await projects.calls.checkDestination({ projectId });
    },
    close: () => {
      credentials.close();
      projects.close();
    },
  };
};
