export {
  CLOSED_PROJECTS_LEASE_MS,
  CLOSED_PROJECTS_RENEWAL_MS,
  leaseClosedProjects,
  type AskClosedProjects,
  type ClosedProjects,
  type LeasedClosedProjects,
} from './closed-projects';
export { seen, seenOne, seenPages, type Seen } from './seen-store';
export { createSights, demandSight, SEES_ALL, type Sight, type Sights } from './sight';
export { onceForEach, seenBy, type Within } from './within-sight';
