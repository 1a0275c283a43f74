import type { CheckedCredential, CheckedWorkflow } from '@weft/client';
import { isJsonObject } from '@weft/node-catalogue/definitions';
import { setNodeField, type WorkflowDocument } from '@weft/workflow-edit';
import { weft } from '../../api/client';
import { memberOf } from '../../ui/values/json';

/** A workflow that can be imported, with what the server found in it. */
export interface ImportEntry {
  readonly document: WorkflowDocument;
  readonly check: CheckedWorkflow;
}

/** Chosen credentials: ids by `<type>/<name>`. */
export type ChosenCredentials = ReadonlyMap<string, string>;

/** Identifies a credential across workflows, as the API does. */
export const credentialKey = ({ type, name }: Pick<CheckedCredential, 'type' | 'name'>): string => `${type}/${name}`;

/** Asks the server what it would do with workflows. @throws WeftError */
export const checkImport = async (
  documents: readonly WorkflowDocument[],
  chosen: ChosenCredentials,
  ownerId: string | undefined,
  signal: AbortSignal,
): Promise<readonly ImportEntry[]> => {
  const { data } = await weft.call('checkWorkflows', {
    body: {
      workflows: documents.map(({ json }) => json),
      credentials: Object.fromEntries(chosen),
      ...(ownerId === undefined ? {} : { projectId: ownerId }),
    },
    signal,
  });
  return documents.flatMap((document, at) => {
    const check = data[at];
    return check === undefined ? [] : [{ document, check }];
  });
};

/** Credentials that the workflows name, each once. */
export const credentialsOf = (entries: readonly ImportEntry[]): readonly CheckedCredential[] => {
  const all = new Map(
    entries.flatMap(({ check }) => check.credentials).map((credential) => [credentialKey(credential), credential]),
  );
  return [...all.values()];
};

/** The document with the ids of the credentials that were found or chosen. */
export const withCredentials = ({ document, check }: ImportEntry): WorkflowDocument =>
  check.credentials.reduce((now, { node, type, name, id, how }) => {
    if (id === null || how === 'id') return now;
    const present = now.entries().find((entry) => entry.name === node)?.json['credentials'];
    if (!isJsonObject(present) || memberOf(present[type], 'id') === id) return now;
    return setNodeField(now, node, 'credentials', { ...present, [type]: { id, name } }).document;
  }, document);
