import type { PreparedStart, RunPlanRequest } from '@weft/proto/workflows';
import type { Principal } from '@weft/service-kit/auth';

export type { PreparedStart };

/** A workflow to start now. */
export interface PrepareStartRequest {
  readonly workflowId: string;
  /** Empty: the workflow's start node. */
  readonly startNode: string;
  /** The user on whose behalf; absent when a service starts it. */
  readonly principal?: Principal;
  /** Purpose, if no user starts it: determines the trigger. */
  readonly purpose?: 'call' | 'error';
  /** JSON object: a definition to start instead of the workflow's. */
  readonly definition?: Buffer;
  /** Pinned nodes do not run, so they need not be runnable. */
  readonly usePinData?: boolean;
  /** Plans a run of some nodes, or of a definition that the user could store. */
  readonly plan?: RunPlanRequest;
}

/** Requests the current version of a workflow, validated for the user. @throws the refusal, Unavailable */
export type PrepareStart = (options: PrepareStartRequest) => Promise<PreparedStart>;
