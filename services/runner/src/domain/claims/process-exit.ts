/** The exit of processes of this runner, for executions. */
export interface ProcessExit {
  /** The process; absent: all that were started before this one. */
  readonly endedRunnerId?: string;
  /** The execution that ended it, and the node that it executed; absent: unknown. */
  readonly blamed?: { readonly executionId: string; readonly node: string };
}
