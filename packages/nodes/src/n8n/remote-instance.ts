import type { Json, JsonObject } from '@weft/node-catalogue';
import { type InstanceAnswer, type InstanceCall, type NodeContext, NodeFailure } from '@weft/engine';
import { withoutTrailing } from '@weft/service-kit/text';
import { applyCredential } from '../shared/http/authentication/apply-credential';
import { exchangeRun } from '../shared/http/authentication/exchange';
import { JSON_ANSWER, readResponse } from '../shared/http/response/read-response';
import { checkedUrl } from '../http-request/read-settings';
import { redactor } from '../shared/http/response/redact';
import { statusFailure } from '../shared/http/request-failed';
import type { ResponseBudget } from '../shared/http/response/response-budget';
import { isSuccess, sendRequest } from '../shared/http/request/send-request';
import type { Fields } from '../shared/http/settings';

const TIMEOUT_MS = 300_000;
const MAX_REDIRECTS = 5;

interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, Json | undefined>>;
  readonly body?: JsonObject;
}

/** One request to n8n's public API, version 1, at the URL of a credential. */
export interface RemoteCall {
  readonly baseUrl: string;
  readonly credential: JsonObject;
  readonly call: InstanceCall;
  readonly itemIndex: number;
}

/** Calls an instance over HTTP. @throws NodeFailure if it cannot be reached, or rejects the call */
export async function callRemote(
  context: NodeContext,
  { baseUrl, credential, call, itemIndex }: RemoteCall,
  budget: ResponseBudget,
): Promise<InstanceAnswer> {
  const { method, path, query = {}, body } = requestOf(call);
  const applied = applyCredential('n8nApi', credential, exchangeRun(context));
  const redact = (text: string): string => redactor(applied.secrets())(text);
  const response = await sendRequest(
    context.ports.http,
    {
      method,
      url: checkedUrl(`${withoutTrailing(baseUrl, '/')}/${path.map((part) => segment(part, itemIndex)).join('/')}`),
      query: fieldsOf(query),
      listStyle: 'repeat',
      headers: [],
      ...(body === undefined ? {} : { body: { kind: 'json', value: body } }),
      timeoutMs: TIMEOUT_MS,
      followRedirects: true,
      maxRedirects: MAX_REDIRECTS,
      allowUnauthorizedCerts: false,
    },
    {
      credential: applied,
      format: 'json',
      item: undefined,
      files: undefined,
      signal: context.signal,
      maxResponseBytes: budget.limit(),
    },
    itemIndex,
  );
  if (!isSuccess(response)) throw statusFailure(response, itemIndex, redact, { format: 'json' });
  if (response.body.length === 0) return { json: {}, bytes: 0 };
  const read = await readResponse(response, JSON_ANSWER, () => context.pause());
  return { json: read.kind === 'json' ? read.body : {}, bytes: response.body.length };
}

/** An id as a segment of a path. Rejects ids that lead to another path. */
function segment(part: string, itemIndex: number): string {
  if (/^\.{1,2}$/.test(part)) throw new NodeFailure(`"${part}" is not an id`, { itemIndex });
  return encodeURIComponent(part);
}

function fieldsOf(query: Readonly<Record<string, Json | undefined>>): Fields {
  return Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

/** Leaves out undefined values. */
function given(values: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(fieldsOf(values));
}

function requestOf(call: InstanceCall): ApiRequest {
  switch (call.call) {
    case 'listWorkflows': {
      const { active, name, tags, projectId, excludePinnedData } = call.filter;
      const query = { ...call.page, active, tags, name, projectId, excludePinnedData };
      return { method: 'GET', path: ['workflows'], query };
    }
    case 'getWorkflow':
      return { method: 'GET', path: ['workflows', call.workflowId] };
    case 'getWorkflowVersion':
      return { method: 'GET', path: ['workflows', call.workflowId, call.versionId] };
    case 'createWorkflow':
      return { method: 'POST', path: ['workflows'], body: call.workflow };
    case 'updateWorkflow':
      return { method: 'PUT', path: ['workflows', call.workflowId], body: call.workflow };
    case 'deleteWorkflow':
      return { method: 'DELETE', path: ['workflows', call.workflowId] };
    case 'activateWorkflow': {
      const body = given({ ...call.publication });
      const path = ['workflows', call.workflowId, 'activate'];
      return { method: 'POST', path, ...(Object.keys(body).length === 0 ? {} : { body }) };
    }
    case 'deactivateWorkflow':
      return { method: 'POST', path: ['workflows', call.workflowId, 'deactivate'] };
    case 'listExecutions': {
      const { page, workflowId, status, includeData } = call;
      const query = { ...page, workflowId, status, ...(includeData ? { includeData } : {}) };
      return { method: 'GET', path: ['executions'], query };
    }
    case 'getExecution':
      return {
        method: 'GET',
        path: ['executions', call.executionId],
        query: call.includeData ? { includeData: true } : {},
      };
    case 'deleteExecution':
      return { method: 'DELETE', path: ['executions', call.executionId] };
    case 'createCredential':
      return { method: 'POST', path: ['credentials'], body: { name: call.name, type: call.type, data: call.data } };
    case 'deleteCredential':
      return { method: 'DELETE', path: ['credentials', call.credentialId] };
    case 'getCredentialSchema':
      return { method: 'GET', path: ['credentials', 'schema', call.type] };
    case 'generateAudit':
      return { method: 'POST', path: ['audit'], body: { additionalOptions: call.options } };
  }
}
