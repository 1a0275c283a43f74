import type { AttachmentType, JsonObject } from '@weft/node-catalogue';
import type { TokenUsage } from '@weft/models';
import type { RunUsage, SubRunPlace } from '../../records/pending-calls';
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
  #inputTokens = 0;
  #outputTokens = 0;

  /** Forgets everything. */
  clear(): void {
    this.#calls.length = 0;
    this.#inputTokens = 0;
    this.#outputTokens = 0;
  }

  /** True if no sub-node was called, and no tokens were used. Most nodes have none. */
  get isEmpty(): boolean {
    return this.#calls.length === 0 && this.#inputTokens === 0 && this.#outputTokens === 0;
  }

  add(call: SubCall, usage: TokenUsage | undefined): void {
    this.#calls.push(call);
    if (usage !== undefined) this.addUsage(usage);
  }

  /** Adds the tokens of a call without a record. */
  addUsage({ inputTokens, outputTokens }: Pick<TokenUsage, 'inputTokens' | 'outputTokens'>): void {
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
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
    if (this.#inputTokens === 0 && this.#outputTokens === 0) return earlier;
    return {
      inputTokens: this.#inputTokens + (earlier?.inputTokens ?? 0),
      outputTokens: this.#outputTokens + (earlier?.outputTokens ?? 0),
    };
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
