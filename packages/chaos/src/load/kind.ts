import type { WorkflowFile } from './workflow-file';

/** References available to a definition. */
export interface BuildContext {
  readonly sinkUrl: string;
  /** Id of a workflow of a kind that stands before it in the list. @throws Error if there is none */
  readonly idOf: (kind: string) => string;
}

/** The way runs of a kind are started. */
export type Start =
  /**
   * `answer`: what the caller must be answered by the run. `resumes`: the answer is an address that the caller then
   * calls.
   */
  | { readonly by: 'webhook'; readonly answer?: (index: number) => unknown; readonly resumes?: true }
  | { readonly by: 'execute' }
  | { readonly by: 'schedule'; readonly everySeconds: number };

/** One kind of workflow in the load. */
export interface Kind {
  /** Also name of the workflow and path of its webhook. */
  readonly name: string;
  /** Share among its like; 0: it is not started from outside, or a fixed number is. */
  readonly weight: number;
  /** A few a run and no more: it is expensive. */
  readonly isRare?: true;
  readonly start: Start;
  /** Calls of the sink that a successful run has made, each with a separate key. */
  readonly effects: number;
  /** Body that start number `index` sends. */
  readonly body: (index: number) => unknown;
  readonly build: (context: BuildContext) => WorkflowFile;
}
