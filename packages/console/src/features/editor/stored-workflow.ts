import type { WorkflowSummary } from '@weft/client';
import { queryOptions } from '@tanstack/react-query';
import { openDocumentAt, type WorkflowDocument } from '@weft/workflow-edit';
import { callText, weft } from '../../api/client';
import { memberOf } from '../../ui/values/json';

/** A workflow as the server has it. */
export interface StoredWorkflow {
  readonly summary: WorkflowSummary;
  /** Its definition, with the bytes that are stored. */
  readonly document: WorkflowDocument;
}

const isSummary = (entry: object): entry is WorkflowSummary => 'etag' in entry && 'ownerId' in entry;

const pathOf = (id: string): string => `/workflows/${encodeURIComponent(id)}`;

/** Reads the definition of a version, byte for byte. @throws WeftError */
export const readDefinition = async (
  workflowId: string,
  versionId: string,
  signal?: AbortSignal,
): Promise<WorkflowDocument> => {
  const path = `${pathOf(workflowId)}/versions/${encodeURIComponent(versionId)}`;
  const { text } = await callText('GET', path, signal === undefined ? {} : { signal });
  return openDocumentAt(text, ['data', 'definition']);
};

/**
 * Reads a workflow. Its definition comes from the version: a workflow has further members, and the server would write
 * a definition that is sent with them again.
 * @throws WeftError
 */
export const readStoredWorkflow = async (id: string, signal?: AbortSignal): Promise<StoredWorkflow> => {
  const options = signal === undefined ? {} : { signal };
  const { data } = await weft.call('listWorkflows', { query: { ids: id, summary: true, limit: 1 }, ...options });
  const summary = data.find(isSummary);
  if (summary === undefined) {
    // The list leaves out what is gone or hidden; this response says which.
    await weft.call('getWorkflow', { path: { id }, ...options });
    throw new Error('The workflow was not found.');
  }
  return { summary, document: await readDefinition(id, summary.versionId, signal) };
};

export const storedWorkflowQuery = (id: string) =>
  queryOptions({
    queryKey: ['stored-workflow', id],
    queryFn: ({ signal }) => readStoredWorkflow(id, signal),
    // Documents are immutable, and large.
    structuralSharing: false,
    staleTime: 5_000,
  });

/** The definition of a version; it never changes. */
export const definitionQuery = (workflowId: string, versionId: string) =>
  queryOptions({
    queryKey: ['definition', workflowId, versionId],
    queryFn: ({ signal }) => readDefinition(workflowId, versionId, signal),
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** A part of a definition, and what is wrong with it. */
export interface Remark {
  /** Path in the definition, such as `nodes[2].parameters.path`. */
  readonly field: string;
  readonly message: string;
}

/** Reads remarks of a response; anything else is left out. */
export const remarksOf = (value: unknown): readonly Remark[] =>
  (Array.isArray(value) ? value : []).flatMap((entry: unknown) => {
    const [field, message] = [memberOf(entry, 'field'), memberOf(entry, 'message')];
    return typeof field === 'string' && typeof message === 'string' ? [{ field, message }] : [];
  });

/**
 * Replaces a definition. Returns what the server remarks about it.
 * @param etag of the version that was edited
 * @throws WeftError 412 if the workflow has changed since
 */
export const replaceDefinition = async (
  id: string,
  document: WorkflowDocument,
  etag: string,
): Promise<readonly Remark[]> => {
  const { text } = await callText('PUT', pathOf(id), { body: document.text, headers: { 'if-match': etag } });
  const response: unknown = JSON.parse(text);
  return remarksOf(memberOf(response, 'warnings'));
};
