import type { WorkflowFile } from './workflow-file';

/** References available to a definition. */
export interface BuildContext {
  readonly sinkUrl: string;
  /** Id of a workflow of a kind that precedes this one in the list. @throws Error if there is none */
  readonly idOf: (kind: string) => string;
}

/** The way runs of a kind are started. */
export type Start =
  /**
   * `answer`: the answer that the run must give its caller. `resumes`: the answer is an address that the caller then
   * calls.
   */
  | { readonly by: 'webhook'; readonly answer?: (index: number) => unknown; readonly resumes?: true }
  | { readonly by: 'execute' }
  | { readonly by: 'schedule'; readonly everySeconds: number };

/** Name of a node that no run may reach, because an earlier one fails. */
export const NEVER = 'Never';

/** One kind of workflow in the load. */
export interface Kind {
  /** Also name of the workflow and path of its webhook. */
  readonly name: string;
  /** Share among kinds of the same sort; 0: not started from outside, or a fixed number. */
  readonly weight: number;
  /** An expensive kind, of which only a few are started. */
  readonly isRare?: true;
  readonly start: Start;
  /** Each of its runs must fail. A node named {@link NEVER} must not be reached. Default: each must succeed. */
  readonly mustFail?: true;
  /** A run of its error workflow must report the failure. */
  readonly tellsFailure?: true;
  /** Calls of the sink that a successful run has made, each with a separate key. */
  readonly effects: number;
  /** Body that start number `index` sends. */
  readonly body: (index: number) => unknown;
  readonly build: (context: BuildContext) => WorkflowFile;
}
