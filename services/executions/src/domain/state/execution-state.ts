/** The exact state of an execution. The last four are terminal. */
export type ExecutionState = 'queued' | 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'cancelled';

/** The four statuses of the REST contract. */
export type ExecutionStatus = 'running' | 'waiting' | 'success' | 'error';

/** The public status of each state; both are written together. */
export const STATUS_OF: Readonly<Record<ExecutionState, ExecutionStatus>> = {
  queued: 'running',
  running: 'running',
  waiting: 'waiting',
  success: 'success',
  error: 'error',
  crashed: 'error',
  cancelled: 'error',
};

/** States in which an execution can still change. */
export const LIVE_STATES = ['queued', 'running', 'waiting'] as const satisfies readonly ExecutionState[];

/** Terminal states. */
export const END_STATES = ['success', 'error', 'crashed', 'cancelled'] as const satisfies readonly ExecutionState[];

/** The claim that holds an execution in `running`. */
const HOLD = ['claimId', 'lease'] as const;

/** Fields that make the sweeper publish an execution in `queued`. */
const QUEUE = ['publishAt', 'notBefore', 'republished'] as const;

/** Progress of an execution. It is kept on failure, so that a retry can continue from there. */
const ENGINE = ['engineState', 'engineStateChunk', 'engineStateVersion'] as const;

/** Fields that only an execution that has not ended has. */
const LIVE = [
  ...HOLD,
  ...QUEUE,
  'wait',
  'deadlineAt',
  'resume',
  'exclusiveKey',
  'runsAlone',
  'suspicion',
  'deathsAlone',
  'waitsForSlotId',
] as const;

/** A field that a transition removes. */
export type RemovedField = (typeof LIVE)[number] | (typeof ENGINE)[number];

/** One row of the state table: a compare-and-set on one document. */
export interface Transition {
  /** Its name in docs/execution-states.md. */
  readonly id: string;
  readonly from: readonly ExecutionState[];
  /** `same`: the state stays. */
  readonly to: ExecutionState | 'same';
  /** demanded: only with the fence of the document; raised: a new claim begins; free: any holder. */
  readonly fence: 'demanded' | 'raised' | 'free';
  /** Whether it increments the generation, as every return to the queue and every publication after the first does. */
  readonly generation: 'kept' | 'raised';
  readonly removes: readonly RemovedField[];
}

/**
 * The state table. T1, the insert, makes a document `queued` with fence 0 and generation 0; every later change is a row
 * here. Conditions beyond state and fence (a checkpoint number, an expired lease) are in run-writes.ts and
 * free-writes.ts.
 */
export const TRANSITIONS = {
  claim: { id: 'T3', from: ['queued'], to: 'running', fence: 'raised', generation: 'kept', removes: QUEUE },
  renewClaim: { id: 'T3r', from: ['running'], to: 'same', fence: 'free', generation: 'kept', removes: [] },
  heartbeat: { id: 'T4', from: ['running'], to: 'same', fence: 'demanded', generation: 'kept', removes: [] },
  persist: { id: 'T4p', from: ['running'], to: 'same', fence: 'demanded', generation: 'kept', removes: [] },
  checkpoint: { id: 'T5', from: ['running'], to: 'same', fence: 'demanded', generation: 'kept', removes: ['resume'] },
  upload: { id: 'T5u', from: ['running'], to: 'same', fence: 'demanded', generation: 'kept', removes: [] },
  respond: { id: 'T5r', from: ['running'], to: 'same', fence: 'demanded', generation: 'kept', removes: [] },
  succeed: {
    id: 'T6',
    from: ['running'],
    to: 'success',
    fence: 'demanded',
    generation: 'kept',
    removes: [...LIVE, ...ENGINE],
  },
  fail: { id: 'T7', from: ['running'], to: 'error', fence: 'demanded', generation: 'kept', removes: LIVE },
  wait: {
    id: 'T8',
    from: ['running'],
    to: 'waiting',
    fence: 'demanded',
    generation: 'kept',
    removes: [...HOLD, 'resume', 'runsAlone', 'suspicion', 'deathsAlone'],
  },
  wake: { id: 'T8b', from: ['waiting'], to: 'queued', fence: 'free', generation: 'raised', removes: ['wait'] },
  recheck: { id: 'T8c', from: ['waiting'], to: 'same', fence: 'free', generation: 'kept', removes: [] },
  expire: { id: 'T9', from: ['running'], to: 'queued', fence: 'demanded', generation: 'raised', removes: HOLD },
  crash: { id: 'T9c', from: ['running'], to: 'crashed', fence: 'demanded', generation: 'kept', removes: LIVE },
  unclaim: { id: 'T10r', from: ['running'], to: 'queued', fence: 'demanded', generation: 'raised', removes: HOLD },
  release: { id: 'T10', from: ['running'], to: 'queued', fence: 'demanded', generation: 'raised', removes: HOLD },
  cancel: { id: 'T11', from: LIVE_STATES, to: 'cancelled', fence: 'free', generation: 'kept', removes: LIVE },
  timeOut: { id: 'T12', from: LIVE_STATES, to: 'error', fence: 'free', generation: 'kept', removes: LIVE },
  assignSlot: { id: 'T15', from: ['running'], to: 'same', fence: 'demanded', generation: 'kept', removes: [] },
  awaitSlot: {
    id: 'T15h',
    from: ['running'],
    to: 'queued',
    fence: 'demanded',
    generation: 'raised',
    removes: [...HOLD, ...QUEUE],
  },
  admit: { id: 'T15a', from: ['queued'], to: 'same', fence: 'free', generation: 'raised', removes: ['waitsForSlotId'] },
  republish: { id: 'T13', from: ['queued'], to: 'same', fence: 'free', generation: 'raised', removes: [] },
  updateEnded: { id: 'T14', from: END_STATES, to: 'same', fence: 'free', generation: 'kept', removes: [] },
} as const satisfies Readonly<Record<string, Transition>>;

/** Name of a row. */
export type TransitionName = keyof typeof TRANSITIONS;

/** Rows whose write includes its fence. */
export type FencedTransition = {
  [Name in TransitionName]: (typeof TRANSITIONS)[Name]['fence'] extends 'demanded' ? Name : never;
}[TransitionName];

/** Rows that do not check the holder of the execution. */
export type FreeTransition = Exclude<TransitionName, FencedTransition>;

/** Rows that end an execution. */
export type EndTransition = 'succeed' | 'fail' | 'crash' | 'cancel' | 'timeOut';

const IS_END: Readonly<Record<ExecutionState, boolean>> = {
  queued: false,
  running: false,
  waiting: false,
  success: true,
  error: true,
  crashed: true,
  cancelled: true,
};

/** True if a state is terminal. */
export const isEndState = (state: ExecutionState): boolean => IS_END[state];
