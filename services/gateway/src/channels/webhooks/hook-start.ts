import { ExecutionMode, type ExecutionStart, StartWait } from '@weft/proto/executions';
import type { ResolvedWebhook } from '@weft/proto/workflows';

/** What a call of a webhook or a form starts. */
export interface HookCall {
  readonly webhook: ResolvedWebhook;
  readonly input: Buffer;
  readonly idempotencyKey: string;
  /** The id of the execution; files may have been stored under it. */
  readonly executionId: string;
  /** SHA-256 of the files that came with it; absent: none did. */
  readonly contentDigest?: Buffer;
}

/** The start of the run that a call asks for. It is not waited for. */
export const hookStart = ({
  webhook,
  input,
  idempotencyKey,
  executionId,
  contentDigest,
}: HookCall): ExecutionStart => ({
  workflowId: webhook.workflowId,
  input,
  startNode: webhook.node,
  idempotencyKey,
  wait: StartWait.START_WAIT_UNSPECIFIED,
  waitMs: 0,
  usePinData: false,
  mode: ExecutionMode.EXECUTION_MODE_WEBHOOK,
  versionId: webhook.versionId,
  ownerId: webhook.ownerId,
  executionId,
  ...(contentDigest === undefined ? {} : { contentDigest }),
});
