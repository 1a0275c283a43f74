import type { Index } from '@weft/service-kit/mongo';

/** An index of the executions collection. */
interface IndexRow {
  readonly name: string;
  readonly keys: Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  /** It contains only documents with this field; a query must have the same condition. */
  readonly where?: string;
}

/** All indexes of executions. */
export const EXECUTION_INDEXES: readonly IndexRow[] = [
  { name: 'status_id', keys: { status: 1, _id: -1 } },
  { name: 'workflow_id', keys: { workflowId: 1, _id: -1 } },
  { name: 'workflow_status_id', keys: { workflowId: 1, status: 1, _id: -1 } },
  { name: 'owner_id', keys: { ownerId: 1, _id: -1 } },
  { name: 'owner_status_id', keys: { ownerId: 1, status: 1, _id: -1 } },
  { name: 'custom_data', keys: { customDataPairs: 1, _id: -1 }, where: 'customDataPairs' },
  { name: 'dedupe', keys: { idempotencyKey: 1 }, unique: true, where: 'idempotencyKey' },
  { name: 'exclusive', keys: { exclusiveKey: 1 }, unique: true, where: 'exclusiveKey' },
  { name: 'queue', keys: { state: 1, publishAt: 1 }, where: 'publishAt' },
  { name: 'leases', keys: { state: 1, 'lease.until': 1 }, where: 'lease.until' },
  { name: 'waits', keys: { state: 1, 'wait.checkAt': 1 }, where: 'wait.checkAt' },
  { name: 'resume_tokens', keys: { tokenHash: 1 }, where: 'tokenHash' },
  { name: 'children', keys: { 'parent.executionId': 1, state: 1 }, where: 'parent.executionId' },
  { name: 'parent_id', keys: { 'parent.executionId': 1, _id: -1 }, where: 'parent.executionId' },
  { name: 'retries', keys: { 'retry.of': 1 }, where: 'retry.of' },
  { name: 'slot_waits', keys: { waitsForSlotId: 1, _id: 1 }, where: 'waitsForSlotId' },
  { name: 'deadlines', keys: { deadlineAt: 1 }, where: 'deadlineAt' },
  { name: 'post_run_actions', keys: { 'postRunActions.due': 1 }, where: 'postRunActions.due' },
  { name: 'families', keys: { 'parent.rootId': 1, state: 1 }, where: 'parent.rootId' },
  { name: 'expiry', keys: { expireAt: 1 }, where: 'expireAt' },
];

/** The same in the driver's format. */
export const executionIndexes: readonly Index[] = EXECUTION_INDEXES.map(({ name, keys, unique, where }) => ({
  name,
  key: keys,
  ...(unique === undefined ? {} : { unique }),
  ...(where === undefined ? {} : { partialFilterExpression: { [where]: { $exists: true } } }),
}));
