import { ServiceError } from '@weft/service-kit/errors';

/** Nothing is served at this path or with this method. One error for both, because the contract has no status 405. */
export class EndpointNotFound extends ServiceError {
  constructor(method: string, path: string, allowed: readonly string[]) {
    const shown = path.slice(0, 200);
    super({
      reason: 'ENDPOINT_NOT_FOUND',
      kind: 'not-found',
      message:
        allowed.length === 0
          ? `Not found: ${shown}.`
          : `${shown} does not support ${method}, only ${allowed.join(', ')}.`,
    });
  }
}

/** The root of the API, where nothing is served. */
export class ApiRootRequested extends ServiceError {
  constructor() {
    super({
      reason: 'ENDPOINT_NOT_FOUND',
      kind: 'not-found',
      message: 'Not found: /api/v1 itself serves nothing. The reference of the API is at /docs/.',
    });
  }
}

/** No active workflow listens at this address. */
export class WebhookNotFound extends ServiceError {
  constructor(method: string, path: string, otherMethods: readonly string[]) {
    const shown = path.slice(0, 200);
    super({
      reason: 'WEBHOOK_NOT_FOUND',
      kind: 'not-found',
      message:
        `No active workflow listens to ${method} /webhook/${shown}` +
        (otherMethods.length === 0
          ? '. Check the method and the path; if they are right, activate the workflow.'
          : `; it answers ${otherMethods.join(', ')}.`),
      details: { path: shown },
    });
  }
}

/** No active workflow has an MCP server at this address. */
export class McpServerNotFound extends ServiceError {
  constructor(path: string) {
    const shown = path.slice(0, 200);
    super({
      reason: 'WEBHOOK_NOT_FOUND',
      kind: 'not-found',
      message:
        `No active workflow has an MCP server at /mcp/${shown}. Check the path; if it is right, activate the ` +
        'workflow. ' +
        'Before version 2 of the MCP server trigger, the address ends with /sse or /messages.',
      details: { path: shown },
    });
  }
}

/** No workflow waits for a test call at this address. */
export class TestCallNotFound extends ServiceError {
  constructor(method: string, path: string) {
    const shown = path.slice(0, 200);
    super({
      reason: 'WEBHOOK_NOT_FOUND',
      kind: 'not-found',
      message:
        `No workflow waits for a test call of ${method} /webhook-test/${shown}. ` +
        'Choose "Listen" at the webhook in the editor, and send one call while it waits.',
      details: { path: shown },
    });
  }
}

/** The data table has no row with this id, or no longer. */
export class DataTableRowNotFound extends ServiceError {
  constructor(dataTableId: string, rowId: string) {
    const shown = rowId.slice(0, 20);
    super({
      reason: 'DATA_TABLE_ROW_NOT_FOUND',
      kind: 'not-found',
      message: `The data table has no row ${shown}, or no longer.`,
      details: { dataTableId: dataTableId.slice(0, 100), rowId: shown },
    });
  }
}

/** No run waits at this address. The same message as that of the executions service, so that it reveals nothing. */
export class WaitNotFound extends ServiceError {
  constructor() {
    super({ reason: 'RESUME_TOKEN_UNKNOWN', kind: 'not-found', message: 'No execution waits at this address.' });
  }
}

/** The run has continued without this reply to its chat. */
export class ChatReplyLate extends ServiceError {
  constructor() {
    super({
      reason: 'EXECUTION_NOT_WAITING',
      kind: 'conflict',
      message:
        'The chat no longer waits for this reply: it was answered already, its time is over, or the run has ended. ' +
        'Open the chat again to see how it continued.',
    });
  }
}

/** A run waits at this address, but not for this method. */
export class WaitingMethodRefused extends ServiceError {
  constructor(method: string, methods: readonly string[]) {
    super({
      reason: 'WEBHOOK_NOT_FOUND',
      kind: 'not-found',
      message: `The execution that waits here does not accept ${method}, only ${methods.join(', ')}.`,
    });
  }
}

/** The run continues, but has not responded to the webhook within the time for the request. */
export class WebhookAnswerLate extends ServiceError {
  constructor(executionId: string) {
    super({
      reason: 'WEBHOOK_ANSWER_LATE',
      kind: 'timeout',
      message: 'The workflow is still running; it did not respond within the time limit.',
      details: { executionId },
      retryAfterSeconds: 5,
    });
  }
}

/** The bodies of all current requests together have reached their memory limit. */
export class BodyMemoryFull extends ServiceError {
  constructor() {
    super({
      reason: 'BODY_MEMORY_FULL',
      kind: 'unavailable',
      message: 'Too many large requests are in progress. Try again later.',
      retryAfterSeconds: 5,
    });
  }
}

/** The callers of one address block use more than their share of the gateway's processor while others wait for it. */
export class ClientOverShare extends ServiceError {
  constructor() {
    super({
      reason: 'CLIENT_OVER_SHARE',
      kind: 'unavailable',
      message: 'Requests from this network take too much of the processor. Try again later.',
      retryAfterSeconds: 1,
    });
  }
}

/** The limit of concurrent requests with files is reached. */
export class TooManyUploads extends ServiceError {
  constructor() {
    super({
      reason: 'TOO_MANY_UPLOADS',
      kind: 'unavailable',
      message: 'Too many uploads are in progress. Try again later.',
      retryAfterSeconds: 5,
    });
  }
}

/**
 * The sender has closed its connection before its request had arrived completely. There is no recipient for a response,
 * so this is not a ServiceError, has no status and does not count as an error.
 */
export class RequestAborted extends Error {
  constructor() {
    super('The sender closed the connection before all of its request had arrived.');
    this.name = 'RequestAborted';
  }
}

/** The sender is too slow: its headers or body do not arrive in time. */
export class RequestTooSlow extends ServiceError {
  constructor(message: string) {
    super({ reason: 'REQUEST_TOO_SLOW', kind: 'timeout', message });
  }
}

/** The request exceeds a size limit. */
export class PayloadTooLarge extends ServiceError {
  constructor(message: string) {
    super({ reason: 'PAYLOAD_TOO_LARGE', kind: 'too-large', message });
  }
}
