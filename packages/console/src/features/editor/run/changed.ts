import { useQuery } from '@tanstack/react-query';
import { effectOf, isEqualJson, isJsonObject } from '@weft/node-catalogue/definitions';
import type { WorkflowDocument } from '@weft/workflow-edit';
import { useMemo } from 'react';
import { executionQuery, versionQuery } from '../../../api/queries';
import { memberOf } from '../../../ui/values/json';
import { useEditor } from '../editor-context';

/** Names of the nodes that are in a draft and in a version that ran, and differ. */
const changedNodes = (document: WorkflowDocument, ran: unknown): ReadonlySet<string> => {
  const nodes: unknown = memberOf(ran, 'nodes');
  if (!Array.isArray(nodes)) return NONE;
  const before = new Map(nodes.filter(isJsonObject).map((node) => [node['name'], effectOf(node)]));
  const changed = document.entries().filter(({ name, json }) => {
    const old = before.get(name);
    return old !== undefined && !isEqualJson(effectOf(json), old);
  });
  return new Set(changed.map(({ name }) => name));
};

const NONE: ReadonlySet<string> = new Set();

/** Names of the nodes of the draft that have changed since the run that the editor shows. */
export const useChangedNodes = (): ReadonlySet<string> => {
  const { document, workflowId, source } = useEditor();
  const id = source?.executionId ?? '';
  const { versionId = '' } = useQuery({ ...executionQuery(id), enabled: id !== '' }).data ?? {};
  const version = useQuery({ ...versionQuery(workflowId, versionId), enabled: versionId !== '' }).data;
  return useMemo(
    () => (version === undefined ? NONE : changedNodes(document, version.definition)),
    [document, version],
  );
};
