import { InvalidRequest } from '@weft/service-kit/errors';

/** A version of a workflow. */
export interface VersionReference {
  readonly workflowId: string;
  readonly versionId: string;
}

/** Versions that the executions of a workflow refer to. */
export interface VersionsInUse {
  readonly versionIds: ReadonlySet<string>;
  /** There are more executions than were scanned, so other versions may be referred to as well. */
  readonly isPartial: boolean;
}

/**
 * Scans the executions of a workflow that have not ended or that failed, at most so many, and returns which of these
 * versions they refer to. @throws Unavailable
 */
export type FindVersionsInUse = (
  workflowId: string,
  versionIds: readonly string[],
  most: number,
) => Promise<VersionsInUse>;

/**
 * Those of some versions that are needed: an execution that has not ended runs it, or one that failed may be retried
 * with it. What a bounded scan cannot decide counts as needed. @throws InvalidRequest, Unavailable
 */
export type FindReferencedVersions = (versions: readonly VersionReference[]) => Promise<ReadonlySet<string>>;

/** Maximum number of versions of one request. */
export const MAX_REFERENCES = 100;

/** Executions of one workflow that are scanned. */
const MAX_SCANNED = 50_000;

/**
 * Scans each workflow twice, one workflow at a time: an execution that changes its state while the index is read
 * may be passed over once.
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
