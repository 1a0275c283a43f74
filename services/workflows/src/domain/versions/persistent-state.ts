import { createHash } from 'node:crypto';
import { InvalidRequest } from '@weft/service-kit/errors';
import { requireClaim, type CheckClaim, type Claim, type ClaimedRun } from './claims';
import { PayloadTooLarge, WorkflowNotFound } from '../errors';
import type { WorkflowStore } from '../ports';

/** A completed write: its operation, and the version it created. */
export interface WrittenBy {
  /** Digest of the operation's id. */
  readonly operation: string;
  readonly version: number;
}

/** Facts of a conversation, for lists. */
export interface ChatFacts {
  readonly session: string;
  /** Number of messages. */
  readonly messages: number;
  /** Size of the value. */
  readonly bytes: number;
}

/** A value that nodes of a workflow share between its runs. */
export interface StateEntry {
  readonly workflowId: string;
  /** Unique within the workflow. */
  readonly name: string;
  readonly ownerId: string;
  /** Incremented by every write, from 1. */
  readonly version: number;
  /** JSON text, interpreted only by its writers. */
  readonly valueJson: string;
  /** Execution and fence of the last write. */
  readonly writer: Claim;
  /** The last writes, newest last. */
  readonly writes: readonly WrittenBy[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Set for conversations, which are deleted then. */
  readonly expireAt?: Date;
  /** Of conversations. */
  readonly chat?: ChatFacts;
}

/** Store of entries. Every method throws Unavailable if the database cannot be reached. */
export interface StateStore {
  readonly find: (workflowId: string, name: string) => Promise<StateEntry | undefined>;
  /** Number of entries of a workflow without its conversations. */
  readonly count: (workflowId: string) => Promise<number>;
  /** Number of conversations of a workflow. */
  readonly countChats: (workflowId: string) => Promise<number>;
  /** Removes the conversation that has had no message for the longest time. */
  readonly removeOldestChat: (workflowId: string) => Promise<void>;
  /** False if the name is taken. */
  readonly insert: (entry: StateEntry) => Promise<boolean>;
  /** Compare-and-set: false unless the stored version is the one before that of `entry`. */
  readonly replace: (entry: StateEntry) => Promise<boolean>;
  readonly remove: (workflowId: string, name: string) => Promise<void>;
  /** Removes all entries of a workflow. */
  readonly removeAll: (workflowId: string) => Promise<void>;
}

export interface StateWrite {
  readonly name: string;
  /** Version read by the writer; 0: none. */
  readonly expectedVersion: number;
  readonly valueJson: string;
  /** Unique within the workflow. */
  readonly operationId: string;
}

/** Outcome of a write. Only `written` changed anything. */
export interface PutResult {
  readonly outcome: 'written' | 'repeated' | 'conflict';
  /** The stored entry; undefined if there is none. */
  readonly entry: StateEntry | undefined;
}

/** Use cases of persistent state, each for the workflow whose execution is claimed. */
export interface StateUseCases {
  /** Undefined if the entry was never written. @throws ClaimLost, InvalidRequest */
  readonly getState: (claim: Claim, name: string) => Promise<StateEntry | undefined>;
  /**
   * Writes an entry if it still has the version that the writer read. An operation that already wrote this entry does
   * not write again, as long as it is among the last hundred.
   * @throws ClaimLost, InvalidRequest, PayloadTooLarge; WorkflowNotFound if the workflow was deleted
   */
  readonly putState: (claim: Claim, write: StateWrite) => Promise<PutResult>;
}

export interface StateDeps {
  readonly state: StateStore;
  readonly workflows: Pick<WorkflowStore, 'findHeads'>;
  readonly checkClaim: CheckClaim;
  /** Days after which a conversation without a new message is deleted. */
  readonly chatDays: number;
}

const MAX_NAME_BYTES = 300;
const MAX_VALUE_BYTES = 1_048_576;
const MAX_OPERATION_BYTES = 1_000;
const MAX_WRITES = 100;
const MAX_ENTRIES = 200;

/** Beginning of the names of entries that hold conversations with models. */
const CHAT = 'chat:';
const MAX_CHATS = 10_000;
const DAY_MS = 24 * 3_600_000;
const MAX_SESSION_LENGTH = 1_000;

const isChat = (name: string): boolean => name.startsWith(CHAT);

/** The name becomes part of the key of the entry. */
const checkName = (name: string): void => {
  if (name !== '' && Buffer.byteLength(name) <= MAX_NAME_BYTES) return;
  throw new InvalidRequest('The name of the entry is not valid.', [
    { field: 'name', message: `Use 1 to ${MAX_NAME_BYTES} bytes.` },
  ]);
};

const checkWrite = ({ name, valueJson, operationId }: StateWrite): void => {
  checkName(name);
  if (operationId === '' || Buffer.byteLength(operationId) > MAX_OPERATION_BYTES)
    throw new InvalidRequest('The operation id is not valid.', [
      { field: 'operation_id', message: `Use 1 to ${MAX_OPERATION_BYTES} bytes.` },
    ]);
  if (valueJson === '')
    throw new InvalidRequest('The value is missing.', [{ field: 'value_json', message: 'Must be JSON text.' }]);
  const bytes = Buffer.byteLength(valueJson);
  if (bytes > MAX_VALUE_BYTES)
    throw new PayloadTooLarge(
      `Persistent state of a node may have at most ${MAX_VALUE_BYTES} bytes as JSON; this has ${bytes}. Store less.`,
    );
};

/** Operation ids contain node names, which may be long; digests are short. */
const digestOf = (operationId: string): string =>
  createHash('sha256').update(operationId).digest('base64url').slice(0, 22);

/** Facts from the value that a memory writes: `{ session, messages }`. */
const chatFacts = (valueJson: string): ChatFacts => {
  const value = jsonOf(valueJson);
  const session = fieldOf(value, 'session');
  const messages = fieldOf(value, 'messages');
  return {
    session: typeof session === 'string' ? session.slice(0, MAX_SESSION_LENGTH) : '',
    messages: Array.isArray(messages) ? messages.length : 0,
    bytes: Buffer.byteLength(valueJson),
  };
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

const nextEntry = (
  { chatDays }: StateDeps,
  claim: Claim,
  { workflowId, ownerId }: ClaimedRun,
  write: StateWrite,
  seen: StateEntry | undefined,
): StateEntry => {
  const version = write.expectedVersion + 1;
  const now = new Date();
  return {
    workflowId,
    ownerId,
    name: write.name,
    version,
    valueJson: write.valueJson,
    writer: claim,
    writes: [...(seen?.writes ?? []), { operation: digestOf(write.operationId), version }].slice(-MAX_WRITES),
    createdAt: seen?.createdAt ?? now,
    updatedAt: now,
    ...(isChat(write.name)
      ? { expireAt: new Date(now.getTime() + chatDays * DAY_MS), chat: chatFacts(write.valueJson) }
      : {}),
  };
};

/**
 * A deleted workflow loses its entries right after its tombstone is written. A writer that adds one and then still
 * finds the workflow has added it before the tombstone, so it will be removed.
 */
const insert = async ({ state, workflows }: StateDeps, entry: StateEntry): Promise<boolean> => {
  const { workflowId, name } = entry;
  if (isChat(name)) {
    // A new conversation matters more than the one that has been silent for the longest time.
    if ((await state.countChats(workflowId)) >= MAX_CHATS) await state.removeOldestChat(workflowId);
  } else if ((await state.count(workflowId)) >= MAX_ENTRIES)
    throw new PayloadTooLarge(
      `Nodes of a workflow may store at most ${MAX_ENTRIES} entries of persistent state. Let fewer nodes store one.`,
    );
  if (!(await state.insert(entry))) return false;
  if ((await workflows.findHeads([workflowId])).length > 0) return true;
  await state.remove(workflowId, name);
  throw new WorkflowNotFound(workflowId);
};

export const stateUseCases = (deps: StateDeps): StateUseCases => {
  const { state, checkClaim } = deps;
  return {
    getState: async (claim, name) => {
      checkName(name);
      const { workflowId } = await requireClaim(checkClaim, claim);
      return state.find(workflowId, name);
    },
    putState: async (claim, write) => {
      checkWrite(write);
      const run = await requireClaim(checkClaim, claim);
      const seen = await state.find(run.workflowId, write.name);
      const operation = digestOf(write.operationId);
      const isRepeated = (entry: StateEntry | undefined): boolean =>
        entry?.writes.some((one) => one.operation === operation) === true;
      if (isRepeated(seen)) return { outcome: 'repeated', entry: seen };
      if ((seen?.version ?? 0) !== write.expectedVersion) return { outcome: 'conflict', entry: seen };
      const next = nextEntry(deps, claim, run, write, seen);
      if (seen === undefined ? await insert(deps, next) : await state.replace(next))
        return { outcome: 'written', entry: next };
      // Another write was faster, possibly the same operation sent twice.
      const now = await state.find(run.workflowId, write.name);
      return { outcome: isRepeated(now) ? 'repeated' : 'conflict', entry: now };
    },
  };
};
