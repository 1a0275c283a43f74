import { ProjectServiceService } from '@weft/proto/projects';
import type { TokenSigner } from '@weft/service-kit/auth';
import { createCaller } from '@weft/service-kit/grpc';
import type { CheckDestination } from '@weft/service-kit/ownership';

/** The part of the credentials service's project methods that this service needs. */
export interface ProjectsClient {
  readonly checkDestination: CheckDestination;
  readonly close: () => void;
}

/** Connects to the credentials service. @param target gRPC target */
export const createProjectsClient = (target: string, sign: TokenSigner): ProjectsClient => {
  const { calls, close } = createCaller(ProjectServiceService, {
    service: 'credentials',
    target,
    sign,
    retried: ['checkDestination'],
  });
  return {
    checkDestination: async (projectId) => {
      await calls.checkDestination({ projectId });
    },
    close,
  };
};
