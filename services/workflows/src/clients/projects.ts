import { ProjectServiceService } from '@weft/proto/projects';
import type { TokenSigner } from '@weft/service-kit/auth';
import { createCaller } from '@weft/service-kit/grpc';
import type { CheckDestination } from '../domain/choose-owner';

/** The projects of the credentials service, as far as this one needs them. */
export interface ProjectsClient {
  readonly checkDestination: CheckDestination;
  readonly close: () => void;
}

/** A client of the credentials service. @param target gRPC target. */
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
