import type { Json, JsonObject } from '@weft/node-catalogue';

/** Page of a list: entries that follow those of the answer before. */
export interface InstancePage {
  /** At most 250; undefined: as many as the instance likes. */
  readonly limit: number | undefined;
  /** `nextCursor` of the answer before; undefined for the first page. */
  readonly cursor: string | undefined;
}

/** Conditions on listed workflows; undefined: any. */
export interface WorkflowFilter {
  readonly active: boolean | undefined;
  /** Part of the name. */
  readonly name: string | undefined;
  /** Names of tags, separated by commas, all of which the workflow must have. */
  readonly tags: string | undefined;
  readonly projectId: string | undefined;
  readonly excludePinnedData: boolean | undefined;
}

/** The published version of a workflow; undefined fields are left as they are. */
export interface Publication {
  readonly versionId: string | undefined;
  readonly name: string | undefined;
  readonly description: string | undefined;
}

/** A call of the API of an instance. The answers have the form of n8n's public API. */
export type InstanceCall =
  | { readonly call: 'listWorkflows'; readonly page: InstancePage; readonly filter: WorkflowFilter }
  | { readonly call: 'getWorkflow'; readonly workflowId: string }
  | { readonly call: 'getWorkflowVersion'; readonly workflowId: string; readonly versionId: string }
  | { readonly call: 'createWorkflow'; readonly workflow: JsonObject }
  | { readonly call: 'updateWorkflow'; readonly workflowId: string; readonly workflow: JsonObject }
  | { readonly call: 'deleteWorkflow'; readonly workflowId: string }
  | { readonly call: 'activateWorkflow'; readonly workflowId: string; readonly publication: Publication }
  | { readonly call: 'deactivateWorkflow'; readonly workflowId: string }
  | {
      readonly call: 'listExecutions';
      readonly page: InstancePage;
      readonly workflowId: string | undefined;
      readonly status: string | undefined;
      readonly includeData: boolean;
    }
  | { readonly call: 'getExecution'; readonly executionId: string; readonly includeData: boolean }
  | { readonly call: 'deleteExecution'; readonly executionId: string }
  | { readonly call: 'createCredential'; readonly name: string; readonly type: string; readonly data: Json }
  | { readonly call: 'deleteCredential'; readonly credentialId: string }
  | { readonly call: 'getCredentialSchema'; readonly type: string }
  | { readonly call: 'generateAudit'; readonly options: JsonObject };

/** Answer to a call. */
export interface InstanceAnswer {
  /** The object; a list is `{ data, nextCursor }`. */
  readonly json: Json;
  /** Size of its JSON text. */
  readonly bytes: number;
}

/** The API of this instance, with the rights that the owner of the running workflow has. */
export interface InstanceApi {
  /** True if an address is one of this instance. */
  isHere(url: string): Promise<boolean>;
  /** @param node name of the node that calls. @throws NodeFailure if it is refused, or if it is not supported here */
  call(node: string, call: InstanceCall): Promise<InstanceAnswer>;
}
