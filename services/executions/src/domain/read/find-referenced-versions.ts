import { InvalidRequest } from '@weft/service-kit/errors';

/** A version of a workflow. */
export interface VersionReference {
  readonly workflowId: string;
  readonly versionId: string;
}

/** Versions that the executions of a workflow refer to. */
export interface VersionsInUse {
  readonly versionIds: ReadonlySet<string>;
  /** There are more executions than were scanned, so other versions may be referenced as well. */
  readonly isPartial: boolean;
}

/**
 * Scans executions of a workflow that have not ended or that failed, up to a maximum, and returns which of these
 * versions they refer to. @throws Unavailable
 */
export type FindVersionsInUse = (
  workflowId: string,
  versionIds: readonly string[],
  most: number,
) => Promise<VersionsInUse>;

/**
 * Returns which of these versions are needed: by an execution that has not ended, or that failed and may be retried.
 * Versions that a bounded scan cannot decide count as needed. @throws InvalidRequest, Unavailable
 */
export type FindReferencedVersions = (versions: readonly VersionReference[]) => Promise<ReadonlySet<string>>;

/** Maximum number of versions per request. */
export const MAX_REFERENCES = 100;

/** Maximum number of scanned executions per workflow. */
const MAX_SCANNED = 50_000;

/**
 * Scans each workflow twice, one workflow at a time: an execution that changes its state during an index scan may be
 * missed once.
 */
export const createFindReferencedVersions =
  (look: FindVersionsInUse, most: number = MAX_SCANNED): FindReferencedVersions =>
  async (versions) => {
    if (versions.length > MAX_REFERENCES)
      throw new InvalidRequest('Too many versions.', [
        { field: 'versions', message: `Ask for ${MAX_REFERENCES} at most.` },
      ]);
    const asked = new Map<string, Set<string>>();
    for (const { workflowId, versionId } of versions)
      asked.set(workflowId, (asked.get(workflowId) ?? new Set()).add(versionId));
    const referred = new Set<string>();
    for (const [workflowId, versionIds] of asked) {
      for (const _pass of [1, 2]) {
        const open = [...versionIds].filter((id) => !referred.has(id));
        if (open.length === 0) break;
        const found = await look(workflowId, open, most);
        for (const id of found.isPartial ? open : found.versionIds) referred.add(id);
      }
    }
    return referred;
  };
