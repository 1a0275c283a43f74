/** Names of one JetStream work queue. */
export interface WorkQueueNames {
  readonly stream: string;
  /** The one subject of the stream. */
  readonly subject: string;
  /** The durable consumer that all runners share. */
  readonly consumer: string;
  /** Milliseconds after which a message that was not acknowledged is delivered again. */
  readonly ackWaitMs: number;
}

/**
 * Names of the JetStream work queues that wake runners. They carry execution ids and nothing else: losing them loses no
 * work.
 */
export interface ExecutionQueueNames extends WorkQueueNames {
  /** The queue for owners who have many executions before the runners at once. */
  readonly overflow: WorkQueueNames;
  /** The queue for executions over which a runner died: each is claimed where nothing runs beside it. */
  readonly isolated: WorkQueueNames;
  /**
   * Core NATS subject, outside the stream: ids of executions that answered, waited or ended, for the replicas whose
   * callers wait for them.
   */
  readonly changedSubject: string;
  /**
   * Core NATS subject, outside the stream: ids of executions that were cancelled or ran out of time, for the runners
   * that hold them.
   */
  readonly stoppedSubject: string;
  /**
   * Core NATS subject, outside the stream: ids of executions that runners asked for, for the replicas that hold back
   * others of their owners.
   */
  readonly claimedSubject: string;
  /**
   * Core NATS subject, outside the stream: offers of executions that are not stored yet, answered by one runner of the
   * group that `consumer` names.
   */
  readonly offersSubject: string;
  /**
   * Core NATS subject, outside the stream: owners whose executions take much of a runner that has hardly any slot left,
   * for the replicas that announce others of them.
   */
  readonly crowdedSubject: string;
  /** Core NATS subject, outside the stream: owners whose runs work with large data, from one runner to the others. */
  readonly heavySubject: string;
  /**
   * Core NATS subject, outside the stream: versions of workflows whose runs have killed the processes in which they ran
   * alone, for the runners. Each is repeated as long as it holds.
   */
  readonly quarantineSubject: string;
}

/** Stream of an instance whose NATS_STREAM is not set. */
export const DEFAULT_EXECUTION_STREAM = 'WEFT_EXECUTIONS';

/** Most ids of one message: few enough that a list spreads over several runners. */
export const MAX_IDS_PER_MESSAGE = 16;

const CONSUMER = { consumer: 'runners', ackWaitMs: 30_000 } as const;

/** All work queues of an instance. */
export const workQueuesOf = (names: ExecutionQueueNames): readonly WorkQueueNames[] => [
  names,
  names.overflow,
  names.isolated,
];

/** The names that follow from the stream's name. Executions makes streams and consumers; runners consume. */
export const executionQueueNames = (stream: string): ExecutionQueueNames => ({
  stream,
  subject: `${stream}.queued`,
  ...CONSUMER,
  overflow: { stream: `${stream}_OVERFLOW`, subject: `${stream}.overflow`, ...CONSUMER },
  isolated: { stream: `${stream}_ISOLATED`, subject: `${stream}.isolated`, ...CONSUMER },
  changedSubject: `${stream}.changed`,
  stoppedSubject: `${stream}.stopped`,
  claimedSubject: `${stream}.claimed`,
  offersSubject: `${stream}.offers`,
  heavySubject: `${stream}.heavy`,
  crowdedSubject: `${stream}.crowded`,
  quarantineSubject: `${stream}.quarantine`,
});

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SEPARATOR = ',';

/** Most ids that are read from one message, whoever wrote it. */
const MAX_IDS_READ = 200;

/** The payload of a message: ids separated by commas. The caller keeps to MAX_IDS_PER_MESSAGE. */
export const encodeExecutionIds = (ids: readonly string[]): Uint8Array => Buffer.from(ids.join(SEPARATOR), 'latin1');

/** The ids of a message, each once. What is not an id is left out, so an invented message yields an empty list. */
export const decodeExecutionIds = (payload: Uint8Array): string[] => {
  const text = Buffer.from(
    payload.buffer,
    payload.byteOffset,
    Math.min(payload.byteLength, MAX_IDS_READ * 37),
  ).toString('latin1');
  return [...new Set(text.split(SEPARATOR).filter((part) => ID.test(part)))];
};

/** Bytes of a hint, at most. */
const MAX_HINT = 300;

/** The payload of a hint about an owner, by id or key, or about a version, by id. */
export const encodeHint = (subject: string): Uint8Array => Buffer.from(subject, 'utf8');

/** Whom or what a hint is about; undefined if the message is none, whoever wrote it. */
export const decodeHint = (payload: Uint8Array): string | undefined =>
  payload.byteLength > 0 && payload.byteLength <= MAX_HINT ? Buffer.from(payload).toString('utf8') : undefined;

/** An offer of executions that only one replica of executions knows: they are claimed there. */
export interface ExecutionOffer {
  /** Address of the replica, `host:port`. */
  readonly replica: string;
  /** Callers wait for their results. */
  readonly isAwaited: boolean;
  readonly ids: readonly string[];
}

/** Bytes of an address and the word after it, at most. */
const MAX_HEAD = 300;

const ADDRESS = /^[0-9A-Za-z.:[\]-]{3,255}$/;

/** Word of an offer whose callers wait, and of any other. */
const AWAITED = 'awaited';
const TAKEN = 'taken';

/** The payload of an offer: the address of the replica, whether callers wait, and the ids, with spaces between. */
export const encodeOffer = ({ replica, isAwaited, ids }: ExecutionOffer): Uint8Array =>
  Buffer.from(`${replica} ${isAwaited ? AWAITED : TAKEN} ${ids.join(SEPARATOR)}`, 'latin1');

/** An offer; undefined if the message is none, whoever wrote it. */
export const decodeOffer = (payload: Uint8Array): ExecutionOffer | undefined => {
  const head = Buffer.from(payload.buffer, payload.byteOffset, Math.min(payload.byteLength, MAX_HEAD));
  const [replica = '', kind = ''] = head.toString('latin1').split(' ', 2);
  const ids = decodeExecutionIds(payload.subarray(replica.length + kind.length + 2));
  const isOffer = ADDRESS.test(replica) && (kind === AWAITED || kind === TAKEN) && ids.length > 0;
  return isOffer ? { replica, isAwaited: kind === AWAITED, ids } : undefined;
};
