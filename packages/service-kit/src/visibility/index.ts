export {
  CLOSED_PROJECTS_LEASE_MS,
  CLOSED_PROJECTS_RENEWAL_MS,
  leaseClosedProjects,
  type AskClosedProjects,
  type ClosedProjects,
  type LeasedClosedProjects,
} from './closed-projects';
export { scoped, scopedOne, scopedPages, type Scoped } from './scoped-store';
export {
  createVisibilityScopes,
  requireVisible,
  SEES_ALL,
  type VisibilityScope,
  type VisibilityScopes,
} from './visibility-scope';
export { onceForEach, scopedTo, type Within } from './within-scope';
