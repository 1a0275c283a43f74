export interface WorkQueueNames {
  readonly stream: string;
  readonly subject: string;
  /** The durable consumer that all runners share. */
  readonly consumer: string;
  /** Redelivery timeout of messages that are not acknowledged. */
  readonly ackWaitMs: number;
}

/**
 * Names of the JetStream work queues that wake runners. Messages carry only execution ids: losing them loses no work.
 */
export interface ExecutionQueueNames extends WorkQueueNames {
  /** The queue for owners with many queued executions. */
  readonly overflow: WorkQueueNames;
  /** The queue for executions that crashed a runner: each is claimed by a runner that runs nothing else. */
  readonly isolated: WorkQueueNames;
  /**
   * Core NATS subject, outside the stream: ids of executions that responded, waited or ended, for the replicas whose
   * callers wait for them.
   */
  readonly changedSubject: string;
  /**
   * Core NATS subject, outside the stream: ids of executions that were cancelled or timed out, for the runners that
   * hold them.
   */
  readonly stoppedSubject: string;
  /**
   * Core NATS subject, outside the stream: ids of executions that runners asked for, for the replicas that hold back
   * others of the same owners.
   */
  readonly claimedSubject: string;
  /**
   * Core NATS subject, outside the stream: offers of executions that are not stored yet, answered by one runner of the
   * group that `consumer` names.
   */
  readonly offersSubject: string;
  /**
   * Core NATS subject, outside the stream: owners whose executions use many slots of a saturated runner, for the
   * replicas that announce further ones.
   */
  readonly saturatingSubject: string;
  /** Core NATS subject, outside the stream: owners over their share, from one runner to the others. */
  readonly overShareSubject: string;
  /**
   * Core NATS subject, outside the stream: workflow versions whose runs killed the processes in which they ran in
   * isolation, for the runners. Each is repeated as long as it holds.
   */
  readonly quarantineSubject: string;
  /**
   * Core NATS subject, outside the stream: ids of executions whose events are followed at a replica, for the runners
   * that hold them. Each is repeated every second as long as it is followed.
   */
  readonly followedSubject: string;
  /**
   * Core NATS subject, outside the stream: ids of followed executions that a runner claimed or stored progress of, for
   * the replicas at which they are followed.
   */
  readonly progressedSubject: string;
  /**
   * Prefix of core NATS subjects, outside the stream: parts of text that followed executions write. The subject of an
   * execution ends with its id.
   */
  readonly deltasSubject: string;
  /** Core NATS subject, outside the stream: ids of event subscriptions that were changed, for the replicas. */
  readonly subscriptionsSubject: string;
  /**
   * Core NATS subject, outside the stream: ids of event subscriptions with new notifications, for the replicas that
   * send them.
   */
  readonly notificationsSubject: string;
}

/** Stream of an instance that does not set NATS_STREAM. */
export const DEFAULT_EXECUTION_STREAM = 'WEFT_EXECUTIONS';

/** Maximum ids per message: few enough that a list spreads over several runners. */
export const MAX_IDS_PER_MESSAGE = 16;

const CONSUMER = { consumer: 'runners', ackWaitMs: 30_000 } as const;

/** All work queues of an instance. */
export const workQueuesOf = (names: ExecutionQueueNames): readonly WorkQueueNames[] => [
  names,
  names.overflow,
  names.isolated,
];

/** The names derived from the stream's name. Executions creates streams and consumers; runners consume. */
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
  overShareSubject: `${stream}.over-share`,
  saturatingSubject: `${stream}.saturating`,
  quarantineSubject: `${stream}.quarantine`,
  followedSubject: `${stream}.followed`,
  progressedSubject: `${stream}.progressed`,
  deltasSubject: `${stream}.deltas`,
  subscriptionsSubject: `${stream}.subscriptions`,
  notificationsSubject: `${stream}.notifications`,
});

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SEPARATOR = ',';

/** Maximum ids read from one message, which any NATS client could have sent. */
const MAX_IDS_READ = 200;

/** Encodes ids as a message, separated by commas. The caller keeps to MAX_IDS_PER_MESSAGE. */
export const encodeExecutionIds = (ids: readonly string[]): Uint8Array => Buffer.from(ids.join(SEPARATOR), 'latin1');

/**
 * Decodes the ids of a message, without duplicates. Anything else is ignored, so a forged message yields an empty list.
 */
export const decodeExecutionIds = (payload: Uint8Array): string[] => {
  const text = Buffer.from(
    payload.buffer,
    payload.byteOffset,
    Math.min(payload.byteLength, MAX_IDS_READ * 37),
  ).toString('latin1');
  return [...new Set(text.split(SEPARATOR).filter((part) => ID.test(part)))];
};

/** Maximum bytes of a hint. */
const MAX_HINT = 300;

/** Encodes a hint about an owner, by id or key, or about a version, by id. */
export const encodeHint = (subject: string): Uint8Array => Buffer.from(subject, 'utf8');

/** Decodes the subject of a hint; undefined if the message is not a valid hint. */
export const decodeHint = (payload: Uint8Array): string | undefined =>
  payload.byteLength > 0 && payload.byteLength <= MAX_HINT ? Buffer.from(payload).toString('utf8') : undefined;

/** An offer of executions that only one replica of executions knows: runners claim them there. */
export interface ExecutionOffer {
  /** Address of the replica, `host:port`. */
  readonly replica: string;
  /** Whether callers wait for their results. */
  readonly isAwaited: boolean;
  readonly ids: readonly string[];
}

/** Maximum bytes of an address and the word after it. */
const MAX_HEAD = 300;

const ADDRESS = /^[0-9A-Za-z.:[\]-]{3,255}$/;

/** Words for offers with and without waiting callers. */
const AWAITED = 'awaited';
const TAKEN = 'taken';

/** Encodes an offer: the address of the replica, whether callers wait, and the ids, separated by spaces. */
export const encodeOffer = ({ replica, isAwaited, ids }: ExecutionOffer): Uint8Array =>
  Buffer.from(`${replica} ${isAwaited ? AWAITED : TAKEN} ${ids.join(SEPARATOR)}`, 'latin1');

/** Decodes an offer; undefined if the message is not a valid offer. */
export const decodeOffer = (payload: Uint8Array): ExecutionOffer | undefined => {
  const head = Buffer.from(payload.buffer, payload.byteOffset, Math.min(payload.byteLength, MAX_HEAD));
  const [replica = '', kind = ''] = head.toString('latin1').split(' ', 2);
  const ids = decodeExecutionIds(payload.subarray(replica.length + kind.length + 2));
  const isOffer = ADDRESS.test(replica) && (kind === AWAITED || kind === TAKEN) && ids.length > 0;
  return isOffer ? { replica, isAwaited: kind === AWAITED, ids } : undefined;
};
