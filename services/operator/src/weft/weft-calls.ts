import { isObject, type CheckResult, type Json, type JsonObject, type ListedWorkflow } from '@weft/apply';
import { createWeft, type Weft, type WorkflowSummary } from '@weft/client';
import type { ListedApp } from '../domain/decide-app';
import type { ListedCredential } from '../domain/decide-credential';
import type { Write } from '../domain/facts';
import { Failed } from '../domain/failures';
import { failureOfWeft } from './failures';

/** A definition to check; with the id of the workflow that it replaces. */
export type CheckedDefinition = JsonObject;

const REQUIRED = '0.2.0';

const isSummary = (entry: object): entry is WorkflowSummary => 'versionId' in entry && 'etag' in entry;

const isResults = (value: unknown): value is { readonly data: readonly CheckResult[] } =>
  isObject(value) && Array.isArray(value['data']);

/** Handles a failure of a call that releases before `required` do not have. */
const tooOld =
  (required: string) =>
  (error: unknown): never => {
    const failure = failureOfWeft(error);
    const message = `Weft is older than the operator, which requires release ${required}.`;
    throw new Failed(failure.kind === 'not-found' ? { kind: 'too-old', message } : failure);
  };

/** The calls of the operator, with one key and for one project. All throw `Failed`. */
export const createWeftCalls = (baseUrl: string, apiKey: string) => {
  // The queue repeats what failed, with a pause for each object.
  const weft: Weft = createWeft({ baseUrl, apiKey, retries: 0 });

  const attempt = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof Failed ? error : new Failed(failureOfWeft(error));
    }
  };

  const listed = async (query: Readonly<Record<string, string>>): Promise<readonly ListedWorkflow[]> => {
    const found: ListedWorkflow[] = [];
    for await (const entry of weft.pages('listWorkflows', { query: { summary: true, ...query } }))
      if (isSummary(entry)) found.push(entry);
    return found;
  };

  return {
    /**
     * The id of the project in the Secret, which may be an id or a name.
     *
     * @throws Failed if the release of Weft is too old, or the user of the key is not a member
     */
    projectOf: (project: string): Promise<string> =>
      attempt(async () => {
        const { data } = await weft.call('getCaller').catch(tooOld(REQUIRED));
        const found = data.projects.filter(({ id, name }) => id === project || name === project);
        const [only, other] = found;
        if (only !== undefined && other === undefined) return only.id;
        const problem = other === undefined ? 'is not a member of' : 'is a member of several projects called';
        const message = `The user of the key in the Secret "weft" ${problem} "${project}".`;
        throw new Failed({ kind: 'forbidden', message });
      }),

    /** Workflows of a set, without definitions. */
    listSet: (projectId: string, set: string) => attempt(() => listed({ projectId, set, managedBy: 'kubernetes' })),

    /** The workflow with a key, if the caller can see it. */
    byKey: (key: string) => attempt(async () => (await listed({ key }))[0]),

    /** Workflows with these ids, at most 100. */
    byIds: (ids: readonly string[]) => attempt(() => listed({ ids: ids.join() })),

    /** Checks definitions, at most 100 and 9 MB. */
    check: (projectId: string, workflows: readonly CheckedDefinition[]): Promise<readonly CheckResult[]> =>
      attempt(async () => {
        const { body } = await weft.request('POST', '/workflows/check', { body: { workflows, projectId } });
        if (!isResults(body) || body.data.length !== workflows.length)
          throw new Failed({ kind: 'unavailable', message: 'Weft answered a check with something else.' });
        return body.data;
      }),

    /** @returns id and state after the write; undefined: it was deleted */
    write: (
      projectId: string,
      management: { readonly key: string; readonly set: string; readonly source: string },
      write: Write,
    ): Promise<{ readonly id: string; readonly active: boolean; readonly etag: string } | undefined> =>
      attempt(async () => {
        const query = { ...management, managedBy: 'kubernetes' };
        if (write.action === 'create') {
          const body = { ...write.definition, active: write.active, projectId };
          const { body: answer, headers } = await weft.request('POST', '/workflows', { query, body });
          const data = isObject(answer) && isObject(answer['data']) ? answer['data'] : {};
          return { id: String(data['id']), active: data['active'] === true, etag: headers.get('etag') ?? '' };
        }
        const { id, etag } = write.workflow;
        const headers = { 'if-match': etag, prefer: 'return=minimal' };
        const path = { id };
        if (write.action === 'delete') {
          await weft.request('DELETE', '/workflows/{id}', { path, headers });
          return undefined;
        }
        const answer = await (write.action === 'replace'
          ? weft.request('PUT', '/workflows/{id}', { path, query, body: write.definition, headers })
          : weft.request('POST', `/workflows/{id}/${write.action}`, { path, headers }));
        const active = write.action === 'replace' ? write.workflow.active : write.action === 'activate';
        return { id, active, etag: answer.headers.get('etag') ?? '' };
      }),

    /** Credentials of a project, without their data. */
    listCredentials: (projectId: string): Promise<readonly ListedCredential[]> =>
      attempt(async () => {
        const found: ListedCredential[] = [];
        for await (const { id, name, type, createdAt } of weft.pages('listCredentials', { query: { projectId } }))
          found.push({ id, name, type, createdAt });
        return found;
      }),

    /** @param attemptId equal for repetitions of the same creation */
    createCredential: (
      attemptId: string,
      body: { readonly name: string; readonly type: string; readonly data: JsonObject; readonly projectId: string },
    ): Promise<string> =>
      attempt(async () => {
        const headers = { 'idempotency-key': attemptId };
        return (await weft.call('createCredential', { body: { ...body, data: { ...body.data } }, headers })).data.id;
      }),

    replaceCredential: (
      id: string,
      body: { readonly name: string; readonly type: string; readonly data: JsonObject },
    ): Promise<void> =>
      attempt(async () => {
        await weft.call('updateCredential', { path: { id }, body: { ...body, data: { ...body.data } } });
      }),

    /** All apps that users have added. */
    listApps: (): Promise<readonly ListedApp[]> =>
      attempt(async () => {
        const { data } = await weft.call('listApps').catch(tooOld('0.3.0'));
        return data.map(({ name, digest }) => ({ name, digest }));
      }),
    /** Adds an app whose name is free, or replaces the revision that was seen. */
    putApp: (name: string, document: Json, seen: string | undefined): Promise<void> =>
      attempt(async () => {
        const headers = seen === undefined ? { 'if-none-match': '*' } : { 'if-match': `"${seen}"` };
        await weft.request('PUT', '/apps/{id}', { path: { id: name }, body: document, headers });
      }),
    deleteApp: (name: string): Promise<void> =>
      attempt(async () => {
        await weft.call('deleteApp', { path: { id: name } });
      }),
    deleteCredential: (id: string): Promise<void> =>
      attempt(async () => {
        await weft.call('deleteCredential', { path: { id } });
      }),
  };
};

export type WeftCalls = ReturnType<typeof createWeftCalls>;
