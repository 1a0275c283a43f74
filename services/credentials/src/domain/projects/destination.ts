import { isUuid } from '@weft/service-kit/ids';
import { ProjectNotFound } from '../errors';
import { mayInherit, type HeirPorts } from '../users/inheritance';

/** Refuses what may own nothing new. @throws ProjectNotFound */
export type CheckDestination = (ownerId: string) => Promise<void>;

/** Creates the check. Who may put things there is another question. */
export const createCheckDestination = (ports: HeirPorts): CheckDestination =>
  async function checkDestination(id) {
    if (!isUuid(id) || !(await mayInherit(ports, id))) throw new ProjectNotFound(id);
  };
