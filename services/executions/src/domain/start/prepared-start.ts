import type { PreparedStart } from '@weft/proto/workflows';
import type { Principal } from '@weft/service-kit/auth';

export type { PreparedStart };

/** A workflow that a caller wants to start now. */
export interface PrepareStartRequest {
  readonly workflowId: string;
  /** Empty: the workflow's own start node. */
  readonly startNode: string;
  /** The user on whose behalf; absent when a service starts it. */
  readonly principal?: Principal;
  /** Purpose, if no user starts it: decides at which trigger it begins. */
  readonly purpose?: 'call' | 'error';
  /** JSON object: a definition to start instead of the workflow's own. */
  readonly definition?: Buffer;
  /** Nodes with pins do not run, so what they are does not matter. */
  readonly usePinData?: boolean;
}

/** Asks for the current version of a workflow, checked for meaning and rights. @throws the refusal, Unavailable */
export type PrepareStart = (options: PrepareStartRequest) => Promise<PreparedStart>;
