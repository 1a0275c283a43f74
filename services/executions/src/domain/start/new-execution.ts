import { uuidv7 } from '@weft/service-kit/ids';
import { FIRST_PUBLISH_MS } from '../state/back-off';
import type { ExecutionMode, ExecutionRecord, CompletionHook, Parent, PartialOf, Retry } from '../state/execution';
import { STATUS_OF } from '../state/execution-state';
import type { VersionFacts } from '../state/workflow-version';

/** Facts that a retry takes over from the original execution. */
export type CarriedRun = Pick<ExecutionRecord, 'manifest' | 'nodeRunCount' | 'dataBytes' | 'inlineBytes'> &
  Partial<
    Pick<
      ExecutionRecord,
      'log' | 'engineState' | 'engineStateChunk' | 'engineStateVersion' | 'lastNode' | 'customData' | 'customDataPairs'
    >
  >;

/** Parts of a new execution. */
export interface NewExecution {
  readonly workflowId: string;
  readonly versionId: string;
  readonly ownerId: string;
  readonly startNode: string;
  readonly mode: ExecutionMode;
  readonly facts: VersionFacts;
  readonly usePinData: boolean;
  readonly input: { readonly bytes?: Buffer; readonly chunk?: string; readonly size?: number };
  readonly idempotencyKey?: string;
  readonly requestHash?: string;
  readonly mutexKey?: string;
  readonly parent?: Parent;
  readonly retry?: Retry;
  readonly partial?: PartialOf;
  /** It is not kept when it has succeeded, whatever its workflow keeps. */
  readonly expiresOnSuccess?: boolean;
  /** The hooks that notify subscribers. Absent: there are none. */
  readonly notifies?: readonly CompletionHook[];
  /** The state from which a retry continues. */
  readonly carried?: CarriedRun;
  /** Set when chunks were already stored under it. */
  readonly id?: string;
  /** The start was sent before: a replica may have held it in memory, where a runner may have claimed it. */
  readonly isRepeated?: boolean;
}

/**
 * Runs that no user watches start the error workflow; runs of error workflows, and their descendants, do not start
 * another, which limits the chain.
 */
const startsErrorWorkflow = ({ mode, parent, retry }: NewExecution): boolean =>
  mode !== 'manual' && mode !== 'error' && parent?.inError !== true && retry?.inError !== true;

const forgets = ({ mode, facts: { keeps }, expiresOnSuccess = false }: NewExecution): CompletionHook[] => {
  if (mode === 'manual' && !keeps.manual) return [{ kind: 'expire-record', when: 'end', target: '' }];
  return [
    ...(keeps.success && !expiresOnSuccess ? [] : [{ kind: 'expire-record', when: 'success', target: '' } as const]),
    ...(keeps.error ? [] : [{ kind: 'expire-record', when: 'error', target: '' } as const]),
  ];
};

/** Completion hooks, planned at the start so that the write that ends the run needs no read. */
const planCompletionHooks = (options: NewExecution): CompletionHook[] => {
  const { facts, parent, retry } = options;
  return [
    ...(parent === undefined || parent.detached === true
      ? []
      : [{ kind: 'resume-parent', when: 'end', target: parent.executionId } as const]),
    ...(facts.callsWorkflows === true ? [{ kind: 'cancel-children', when: 'stop', target: '' } as const] : []),
    ...(retry === undefined ? [] : [{ kind: 'record-retry-success', when: 'success', target: retry.of } as const]),
    ...(facts.errorWorkflow !== '' && startsErrorWorkflow(options)
      ? [{ kind: 'start-error-workflow', when: 'error', target: facts.errorWorkflow } as const]
      : []),
    ...(facts.concurrency === undefined ? [] : [{ kind: 'release-slot', when: 'end', target: '' } as const]),
    ...(options.notifies ?? []),
    ...forgets(options),
  ];
};

/** A restart would drop the state that says which nodes run. */
const crashPolicyOf = ({ partial, facts: { crashPolicy } }: NewExecution): ExecutionRecord['crashPolicy'] =>
  partial !== undefined && crashPolicy === 'restart' ? 'resume' : crashPolicy;

/** Fence of an execution that was held in memory and claimed there: its only possible claim. */
const IN_MEMORY_FENCE = 1;

const NOTHING_CARRIED: CarriedRun = { manifest: [], nodeRunCount: 0, dataBytes: 0, inlineBytes: 0 };

/** T1: a queued execution, ready to be inserted. */
export const newExecution = (options: NewExecution, now: number): ExecutionRecord => ({
  _id: options.id ?? uuidv7(),
  workflowId: options.workflowId,
  versionId: options.versionId,
  ownerId: options.ownerId,
  mode: options.mode,
  startNode: options.startNode,
  usePinData: options.usePinData,
  ...(options.parent === undefined ? {} : { parent: options.parent }),
  ...(options.retry === undefined ? {} : { retry: options.retry }),
  ...(options.partial === undefined ? {} : { partial: options.partial }),
  state: 'queued',
  status: STATUS_OF.queued,
  // Every claim of this record must fence a runner that claimed it there.
  fence: options.isRepeated === true ? IN_MEMORY_FENCE : 0,
  generation: 0,
  crashes: 0,
  runsAtCrash: options.carried?.nodeRunCount ?? 0,
  crashPolicy: crashPolicyOf(options),
  publishAt: new Date(now + FIRST_PUBLISH_MS),
  checkpoint: 0,
  ...(options.input.bytes === undefined ? {} : { input: options.input.bytes }),
  ...(options.input.chunk === undefined ? {} : { inputChunk: options.input.chunk }),
  ...(options.facts.concurrency === undefined ? {} : { concurrency: options.facts.concurrency }),
  ...(options.input.size === undefined ? {} : { inputBytes: options.input.size }),
  ...(options.carried ?? NOTHING_CARRIED),
  uploadedBytes: 0,
  postRunActions: planCompletionHooks(options),
  ...(options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey }),
  ...(options.requestHash === undefined ? {} : { requestHash: options.requestHash }),
  ...(options.mutexKey === undefined ? {} : { exclusiveKey: options.mutexKey }),
  createdAt: new Date(now),
  ...(options.facts.timeoutMs === undefined ? {} : { deadlineAt: new Date(now + options.facts.timeoutMs) }),
  ...(options.facts.timeoutMs === undefined || options.facts.hasOwnTimeout === true ? {} : { deadlineRenews: true }),
  ...(options.facts.retentionMs === undefined ? {} : { retentionMs: options.facts.retentionMs }),
});
