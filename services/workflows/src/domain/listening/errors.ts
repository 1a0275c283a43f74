import { ServiceError } from '@weft/service-kit/errors';

/** Another workflow waits for a test call at this address. */
export class TestPathTaken extends ServiceError {
  /** @param holderId the other workflow; empty if the caller may not read it */
  constructor(path: string, method: string, holderId: string) {
    const holder = holderId === '' ? 'A workflow of a closed project' : `Workflow ${holderId}`;
    super({
      reason: 'WEBHOOK_PATH_TAKEN',
      kind: 'conflict',
      message:
        `${holder} waits for a test call of ${method} ${path}, or of a path that the same requests match. ` +
        'Try again when it has stopped, after 5 minutes at most, or change the path.',
      details: { path, method, ...(holderId === '' ? {} : { workflowId: holderId }) },
    });
  }
}

/** The owner has reached the limit of workflows that wait for test calls. */
export class TooManyListening extends ServiceError {
  constructor(limit: number) {
    super({
      reason: 'TOO_MANY_LISTENING',
      kind: 'precondition',
      message: `${limit} workflows of this owner wait for test calls, which is the limit. Stop one of them first.`,
      details: { limit: String(limit) },
    });
  }
}
