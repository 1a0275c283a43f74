import { ExecutionMode, StartWait, type ExecutionStart } from '@weft/proto/executions';
import type { ResolvedWebhook } from '@weft/proto/workflows';

/** What a call of a webhook or a form starts. */
export interface HookCall {
  readonly webhook: ResolvedWebhook;
  readonly inputJson: Buffer;
  readonly idempotencyKey: string;
  /** Files were stored under it; absent: none were. */
  readonly executionId?: string;
}

/** The start of the run that a call asks for. It is not waited for. */
export const hookStart = ({ webhook, inputJson, idempotencyKey, executionId }: HookCall): ExecutionStart => ({
  workflowId: webhook.workflowId,
  inputJson,
  startNode: webhook.node,
  idempotencyKey,
  wait: StartWait.START_WAIT_UNSPECIFIED,
  waitMs: 0,
  ignorePinData: true,
  mode: ExecutionMode.EXECUTION_MODE_WEBHOOK,
  versionId: webhook.versionId,
  ownerId: webhook.ownerId,
  ...(executionId === undefined ? {} : { executionId }),
});
