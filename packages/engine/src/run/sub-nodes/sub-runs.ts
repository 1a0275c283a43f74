import type { AttachmentType, JsonObject } from '@weft/node-catalogue';
import { addUsage, type RunUsage } from '../../records/model-usage';
import type { SubRunPlace } from '../../records/pending-calls';
import type { ExecutionError, NodeRunRecord, RunSource } from '../../records/run-record';

/** A call of a sub-node, before the run of its root is over. */
export interface SubCall {
  readonly node: string;
  readonly type: AttachmentType;
  /** The node that uses it, and its run. */
  readonly source: RunSource;
  readonly startTime: number;
  readonly executionTime: number;
  readonly input: JsonObject;
  /** Absent if the call failed. */
  readonly output?: JsonObject;
  readonly error?: ExecutionError;
}

/** Calls of sub-nodes in the current step of a node. Their records are stored with the result of the step. */
export class SubRuns {
  readonly #calls: SubCall[] = [];
  #usage: RunUsage | undefined;

  /** Forgets everything. */
  clear(): void {
    this.#calls.length = 0;
    this.#usage = undefined;
  }

  /** True if no sub-node was called, and no tokens were used. Most nodes have none. */
  get isEmpty(): boolean {
    return this.#calls.length === 0 && this.#usage === undefined;
  }

  add(call: SubCall): void {
    this.#calls.push(call);
  }

  /** Adds the tokens of a call of a model. */
  addUsage(usage: RunUsage): void {
    this.#usage = addUsage(this.#usage, usage);
  }

  /** Number of calls of a node so far. */
  countOf(node: string): number {
    return this.#calls.filter((call) => call.node === node).length;
  }

  /** Records in the order in which the calls ended. @param first `executionIndex` of the first one */
  records(first: number): { readonly node: string; readonly record: NodeRunRecord }[] {
    return this.#calls.map((call, at) => ({ node: call.node, record: recordOf(call, first + at) }));
  }

  /** The runs of nodes that the calls become. @param runsOf number of stored runs of a node */
  places(runsOf: (node: string) => number): SubRunPlace[] {
    const next = new Map<string, number>();
    return this.#calls.map(({ node }) => {
      const runIndex = next.get(node) ?? runsOf(node);
      next.set(node, runIndex + 1);
      return { node, runIndex };
    });
  }

  /** Tokens used, with those of earlier steps; undefined if no model was called. */
  usageWith(earlier: RunUsage | undefined): RunUsage | undefined {
    return this.#usage === undefined ? earlier : addUsage(earlier, this.#usage);
  }
}

function recordOf(
  { type, source, startTime, executionTime, input, output, error }: SubCall,
  executionIndex: number,
): NodeRunRecord {
  return {
    startTime,
    executionTime,
    executionIndex,
    source: [source],
    hints: [],
    inputOverride: { [type]: [[{ json: input }]] },
    executionStatus: error === undefined ? 'success' : 'error',
    ...(output === undefined ? {} : { data: { [type]: [[{ json: output }]] } }),
    ...(error === undefined ? {} : { error }),
  };
}
