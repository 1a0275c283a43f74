import { ProjectServiceService } from '@weft/proto/projects';
import type { TokenSigner } from '../auth';
import { createCaller } from '../grpc';
import { startLoop, type Loop } from '../lifecycle';
import type { Logger } from '../logging';
import { CLOSED_PROJECTS_RENEWAL_MS, leaseClosedProjects, type LeasedClosedProjects } from '../visibility';

/** The credentials service's list of closed projects. */
export interface ClosedProjectsClient extends LeasedClosedProjects {
  /** Keeps this process's copy fresh while it is used. */
  readonly start: (logger: Logger) => Loop;
  readonly close: () => void;
}

/** Timeout of a request, in milliseconds. */
const DEADLINE_MS = 5_000;

/** Maximum pause of the renewal while the copy is unused; the next use ends it. */
const MAX_PAUSE_MS = 60_000;

/** Connects a service to the list of closed projects. @param target gRPC target of the credentials service */
export const connectClosedProjects = (target: string, sign: TokenSigner): ClosedProjectsClient => {
  const { calls, close } = createCaller(ProjectServiceService, {
    service: 'credentials',
    target,
    sign,
    retried: ['listClosedProjects'],
  });
  let renewing: Loop | undefined;
  const leased = leaseClosedProjects(
    async (knownVersion) => {
      const { version, projectIds, unchanged } = await calls.listClosedProjects(
        { knownVersion },
        { deadlineMs: DEADLINE_MS },
      );
      return unchanged ? undefined : { version, ids: new Set(projectIds) };
    },
    () => renewing?.wake(),
  );
  return {
    ...leased,
    start: (logger) => {
      renewing = startLoop({
        name: 'closed-projects',
        everyMs: CLOSED_PROJECTS_RENEWAL_MS,
        pauseMs: () => (leased.isUsed() ? CLOSED_PROJECTS_RENEWAL_MS : MAX_PAUSE_MS),
        logger,
        tick: async () => {
          if (leased.isUsed()) await leased.renew();
        },
      });
      return renewing;
    },
    close,
  };
};
