import type { WorkflowDocument } from './document';

/** Programs that manage workflows. */
export type Manager = 'cli' | 'kubernetes';

/** A workflow of the instance, as `GET /workflows?summary=true` lists it. */
export interface ListedWorkflow {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly versionId: string;
  readonly etag: string;
  /** Absent: an earlier release stored the version. */
  readonly hash?: string;
  readonly key?: string;
  readonly managed?: {
    readonly by: Manager;
    /** Empty: none. */
    readonly set: string;
    readonly appliedVersionId: string;
  };
}

/** A document with the workflow that it describes. */
export interface Matched {
  readonly document: WorkflowDocument;
  /** Undefined: no workflow matches yet. */
  readonly workflow: ListedWorkflow | undefined;
  readonly by: 'key' | 'id' | 'none';
}

/**
 * Finds the workflow of each document: by key, otherwise by id among the workflows without a key. Files of other
 * instances have other ids, and files that were copied have the id of a workflow with another key.
 */
export const matchDocuments = (
  documents: readonly WorkflowDocument[],
  listed: readonly ListedWorkflow[],
): readonly Matched[] => {
  const byKey = new Map(listed.flatMap((one) => (one.key === undefined ? [] : [[one.key, one] as const])));
  const byId = new Map(listed.flatMap((one) => (one.key === undefined ? [[one.id, one] as const] : [])));
  const taken = new Set<string>();
  return documents.map((document) => {
    const keyed = byKey.get(document.key);
    if (keyed !== undefined) return { document, workflow: keyed, by: 'key' as const };
    const identified = document.id === undefined ? undefined : byId.get(document.id);
    if (identified === undefined || taken.has(identified.id)) return { document, workflow: undefined, by: 'none' };
    taken.add(identified.id);
    return { document, workflow: identified, by: 'id' as const };
  });
};

/** True if the workflow was changed since its manager wrote it. */
export const hasDrifted = ({ managed, versionId }: ListedWorkflow): boolean =>
  managed !== undefined && managed.appliedVersionId !== versionId;
