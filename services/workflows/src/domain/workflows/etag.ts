import { VersionConflict } from '../errors';
import type { WorkflowSummary } from './workflow';

type Tagged = Pick<WorkflowSummary, 'versionId' | 'updatedAt' | 'active'>;

/**
 * The entity tag of a workflow (RFC 9110, 8.8.3), without its quotes. It covers everything shown to clients that can
 * change: id, owner and creation time cannot.
 */
export const etagOf = ({ versionId, updatedAt, active }: Tagged): string =>
  `${versionId}-${updatedAt.getTime().toString(36)}${active ? '-active' : ''}`;

/** Condition of a write; undefined or an empty list: none. */
export interface WriteCondition {
  /** The required current version. */
  readonly ifVersionId?: string | undefined;
  /** The current etag must be one of these. */
  readonly ifEtags?: readonly string[];
}

/** Decides `If-Match` and `ifVersionId`. @throws VersionConflict (412) unless the condition holds for the workflow */
export const checkCondition = (
  seen: Tagged & Pick<WorkflowSummary, 'id'>,
  { ifVersionId, ifEtags = [] }: WriteCondition,
): void => {
  const hasVersion = ifVersionId === undefined || ifVersionId === seen.versionId;
  const hasEtag = ifEtags.length === 0 || ifEtags.includes(etagOf(seen));
  if (!hasVersion || !hasEtag) throw new VersionConflict(seen.id, seen.versionId);
};
