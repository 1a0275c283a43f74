import { ServiceError } from '@weft/service-kit/errors';
import { LIMITS, limitSentence } from '@weft/service-kit/limits';
import type { ClaimedExecution, WorkflowVersion } from '../claims/claimed-execution';
import { type ChildRequest, type ChildResult, type Item, NodeFailure, type NodePorts } from '@weft/engine';
import type { ExecutionStore } from '../claims/held/execution-store';
import type { Held } from '../claims/held/held-executions';
import type { Reach } from '../claims/shares/reach';
import type { RunResult } from '../end/run-result';
import { readResult } from './run-input';

/** A run whose nodes call sub-workflows. */
export interface CallingRun {
  readonly claimed: ClaimedExecution;
  readonly held: Held;
  readonly reach: Reach;
}

/** Dependencies of calling sub-workflows. */
export interface SubWorkflowParts {
  readonly store: Pick<ExecutionStore, 'startChild'>;
  /** Ids of versions whose definitions need not be sent. */
  readonly knownVersionIds: () => readonly string[];
  /** Runs a child in the slot of its caller. Never rejects: a child that cannot be completed here is `elsewhere`. */
  readonly runChild: (
    child: ClaimedExecution,
    version: WorkflowVersion | undefined,
    caller: Held,
    sentAt: number,
  ) => Promise<RunResult>;
  /** The claims clock. */
  readonly clock: () => number;
}

const encoder = new TextEncoder();

const inputOf = (items: readonly Item[]): Uint8Array => {
  const input = encoder.encode(
    JSON.stringify(items.map(({ json, binary }) => ({ json, ...(binary === undefined ? {} : { binary }) }))),
  );
  if (input.length <= LIMITS.childInput.max) return input;
  throw new NodeFailure(limitSentence(LIMITS.childInput, input.length), {
    description: 'Call it with fewer items at once, or for each item.',
  });
};

/** A refusal becomes a node failure with the service's message. A lost claim ends the run. */
const nodeError = (error: unknown, held: Held): unknown => {
  if (!(error instanceof ServiceError)) return error;
  if (error.reason === 'CLAIM_LOST') held.abort('lost');
  if (error.reason === 'EXECUTION_NOT_FOUND')
    return new NodeFailure('The execution of the sub-workflow was deleted before its result was read', {
      cause: error,
    });
  const errors = error.fields.map(({ message }) => message).join(' ');
  return new NodeFailure(error.message, { cause: error, ...(errors === '' ? {} : { description: errors }) });
};

const resultOf = (result: RunResult, executionId: string): ChildResult => {
  switch (result.kind) {
    case 'success':
      return { kind: 'finished', executionId, items: result.items };
    case 'error':
      return { kind: 'failed', executionId, message: result.message, name: result.name };
    // The process that ends the child reports its end to the service and wakes the caller.
    case 'suspended':
      return { kind: 'waiting', executionId };
  }
};

/**
 * Starts sub-workflows for the nodes of one run. A claimed child runs here, in the slot of its caller; for any other
 * the caller pauses and frees its slot: so calls never wait for a slot that their callers hold.
 */
export const createStartChild =
  (
    { store, knownVersionIds, runChild, clock }: SubWorkflowParts,
    { claimed, held, reach }: CallingRun,
  ): NodePorts['startChild'] =>
  async ({
    node,
    run,
    item,
    attempt,
    workflow,
    input,
    waitForEnd,
    executionId,
  }: ChildRequest): Promise<ChildResult> => {
    const call = {
      node,
      run,
      item,
      attempt,
      detached: !waitForEnd,
      knownVersionIds: knownVersionIds(),
      ...('id' in workflow
        ? { workflowId: workflow.id }
        : { definition: encoder.encode(JSON.stringify(workflow.definition)) }),
      ...(executionId === undefined ? {} : { childExecutionId: executionId }),
      input: inputOf(input),
    };
    let sentAt = clock();
    const send = (): ReturnType<typeof store.startChild> => {
      sentAt = clock();
      return store.startChild(claimed, call);
    };
    const answer = await reach(send).catch((error: unknown) => Promise.reject(nodeError(error, held)));
    if (answer.kind === 'later') return { kind: 'later', at: answer.at.getTime() };
    const id = answer.executionId;
    if (!waitForEnd) return { kind: 'started', executionId: id };
    switch (answer.kind) {
      case 'ended':
        return answer.error === undefined
          ? { kind: 'finished', executionId: id, items: readResult(answer.itemsJson) }
          : { kind: 'failed', executionId: id, ...answer.error };
      case 'claimedByOther':
        return { kind: 'waiting', executionId: id };
      case 'claimed':
        return resultOf(await runChild(answer.claimed, answer.version, held, sentAt), id);
    }
  };
