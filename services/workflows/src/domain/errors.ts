import type { DefinitionError, WorkflowDefinition } from '@weft/node-catalogue';
import { FORM_METHOD, HOOK_METHOD, MCP_METHOD } from '@weft/nodes/descriptors';
import { ChangedSinceRead, Forbidden, ServiceError, type FieldError } from '@weft/service-kit/errors';

/** No workflow has this id, or it was deleted. */
export class WorkflowNotFound extends ServiceError {
  constructor(workflowId: string) {
    const shown = workflowId.slice(0, 100);
    super({
      reason: 'WORKFLOW_NOT_FOUND',
      kind: 'not-found',
      message: `No workflow has the id ${shown}.`,
      details: { workflowId: shown },
    });
  }
}

/** The workflow belongs to another user. */
export class NotYourWorkflow extends Forbidden {
  constructor(workflowId: string) {
    super(
      'This workflow belongs to another user. Its owner, or a user with the role owner or admin, may change ' +
        'or start it.',
      { workflowId },
    );
  }
}

/** The definition was replaced after the caller read it. */
export class VersionConflict extends ChangedSinceRead {
  constructor(workflowId: string, versionId: string) {
    super('workflow', { workflowId, versionId });
  }
}

/** The workflow is changed so often that this change did not succeed in time. */
export class WorkflowBusy extends ServiceError {
  constructor(workflowId: string) {
    super({
      reason: 'WORKFLOW_BUSY',
      kind: 'limited',
      message: 'Too many concurrent changes of this workflow. Try again.',
      details: { workflowId },
      retryAfterSeconds: 1,
    });
  }
}

/** The definition can be stored, but not run. */
export class WorkflowNotRunnable extends ServiceError {
  /** @param hint a further sentence; empty: none */
  constructor(workflowId: string, fields: readonly FieldError[], hint = '') {
    super({
      reason: 'WORKFLOW_NOT_RUNNABLE',
      kind: 'invalid',
      message:
        `The workflow is not runnable: ` +
        `${fields[0]?.message ?? 'see its fields.'}${fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''}` +
        (hint === '' ? '' : ` ${hint}`),
      details: workflowId === '' ? {} : { workflowId },
      fields,
    });
  }
}

/** The workflow names a credential that its runs may not use. */
export class CredentialNotGranted extends ServiceError {
  constructor(
    { credentialId, message }: { readonly credentialId: string; readonly message: string },
    fields: readonly FieldError[],
  ) {
    super({ reason: 'CREDENTIAL_NOT_GRANTED', kind: 'forbidden', message, details: { credentialId }, fields });
  }
}

/** Another active workflow uses a webhook address of this one. */
export class WebhookPathTaken extends ServiceError {
  /**
   * @param holderId the other workflow; empty if the caller may not read it
   * @param heldPath its path, if it is another one that matches the same requests
   */
  constructor(
    private readonly route: { readonly method: string; readonly path: string },
    private readonly holderId: string,
    private readonly heldPath = route.path,
    hint = '',
  ) {
    const more = hint === '' ? '' : ` ${hint}`;
    const holder = holderId === '' ? 'A workflow of a closed project' : `Workflow ${holderId}`;
    super({
      reason: 'WEBHOOK_PATH_TAKEN',
      kind: 'conflict',
      message:
        route.method === HOOK_METHOD
          ? `${holder} already receives the events of this credential, and its service calls one address only. ` +
            `Deactivate it, or use another credential.${more}`
          : route.method === FORM_METHOD
            ? `${holder} already has a form at ${route.path}. Deactivate it, or change the path.${more}`
            : route.method === MCP_METHOD
              ? `${holder} already has an MCP server at ${route.path}. Deactivate it, or change the path.${more}`
              : heldPath === route.path
                ? `${holder} already listens to ${route.method} ${route.path}. Deactivate it, or change ` +
                  `the path or the method.${more}`
                : `${holder} of another owner listens to ${route.method} ${heldPath}, which the same requests match ` +
                  `as ${route.path}. Change the path or the method.${more}`,
      details: { path: route.path, method: route.method, ...(holderId === '' ? {} : { workflowId: holderId }) },
    });
  }

  /** The same error with a further sentence. */
  with(hint: string): WebhookPathTaken {
    return new WebhookPathTaken(this.route, this.holderId, this.heldPath, hint);
  }
}

/** Another workflow has the key. */
export class WorkflowKeyTaken extends ServiceError {
  /** @param holderId the other workflow; empty if the caller may not read it */
  constructor(key: string, holderId: string) {
    super({
      reason: 'WORKFLOW_KEY_TAKEN',
      kind: 'conflict',
      message:
        `${holderId === '' ? 'A workflow of a closed project' : `Workflow ${holderId}`} already has the key ` +
        `${JSON.stringify(key)}. Use another key, or replace that workflow.`,
      details: { key, ...(holderId === '' ? {} : { workflowId: holderId }) },
    });
  }
}

/** The workflow has no such version, or no longer. */
export class VersionNotFound extends ServiceError {
  constructor(workflowId: string, versionId: string) {
    const shown = versionId.slice(0, 100);
    super({
      reason: 'VERSION_NOT_FOUND',
      kind: 'not-found',
      message: `Workflow ${workflowId} has no version ${shown}, or no longer.`,
      details: { workflowId, versionId: shown },
    });
  }
}

export class ConversationNotFound extends ServiceError {
  constructor(workflowId: string, conversationId: string) {
    const shown = conversationId.slice(0, 100);
    super({
      reason: 'CONVERSATION_NOT_FOUND',
      kind: 'not-found',
      message: `Workflow ${workflowId} has no conversation ${shown}, or no longer.`,
      details: { workflowId, conversationId: shown },
    });
  }
}

/** The request or its response exceeds the maximum size. */
export class PayloadTooLarge extends ServiceError {
  constructor(message: string) {
    super({ reason: 'PAYLOAD_TOO_LARGE', kind: 'too-large', message });
  }
}

/** No node kind has this name. */
export class NodeTypeNotFound extends ServiceError {
  /** @param hint what takes its place, as a sentence */
  constructor(kind: string, hint: string) {
    const shown = kind.slice(0, 100);
    super({
      reason: 'NODE_TYPE_NOT_FOUND',
      kind: 'not-found',
      message: `Unknown node kind ${JSON.stringify(shown)}. ${hint}`,
      details: { kind: shown },
    });
  }
}

/** The calling runner does not hold the execution, or no longer does. */
export class ClaimLost extends ServiceError {
  constructor(executionId: string) {
    const shown = executionId.slice(0, 100);
    super({
      reason: 'CLAIM_LOST',
      kind: 'precondition',
      message: `Another runner holds execution ${shown}, or it has ended: nothing was read or written.`,
      details: { executionId: shown },
    });
  }
}

/**
 * Converts errors of a definition to fields of the request; the path of a node's error begins with the node's index.
 */
export const toFieldErrors = (
  definition: Pick<WorkflowDefinition, 'nodes'>,
  errors: readonly DefinitionError[],
): FieldError[] =>
  errors.map(({ node, field, message }) => {
    const index = node === undefined ? -1 : definition.nodes.findIndex((candidate) => candidate.name === node);
    return { field: index < 0 ? field : `nodes[${index}].${field}`, message };
  });
