import { createHash } from 'node:crypto';
import { InvalidRequest } from '@weft/service-kit/errors';
import { PayloadTooLarge, WorkflowNotFound } from '../errors';
import type { WorkflowStore } from '../ports';
import { checkName } from './check-name';
import { requireClaim, type CheckClaim, type Claim, type ClaimedRun } from '../claims';
import type { StateEntry, StateStore } from './state';

/** A write of one entry. */
export interface StateWrite {
  readonly name: string;
  /** Version that the writer saw; 0: none. */
  readonly expectedVersion: number;
  readonly valueJson: string;
  /** What writes, unique within the workflow. */
  readonly operationId: string;
}

/** What became of a write. Only `written` changed anything. */
export interface PutResult {
  readonly outcome: 'written' | 'repeated' | 'conflict';
  /** What is stored now; undefined if there is nothing. */
  readonly entry: StateEntry | undefined;
}

/**
 * Writes an entry if it still has the version that the writer saw. An operation that wrote this entry before writes
 * nothing a second time, as long as it is among the last hundred.
 * @throws ClaimLost, InvalidRequest, PayloadTooLarge, WorkflowNotFound if the workflow was deleted
 */
export type PutState = (claim: Claim, write: StateWrite) => Promise<PutResult>;

/** What it works on. */
export interface PutStatePorts {
  readonly store: StateStore;
  readonly workflows: Pick<WorkflowStore, 'findHeads'>;
  readonly checkClaim: CheckClaim;
}

const MAX_VALUE_BYTES = 1_048_576;
const MAX_OPERATION_BYTES = 1_000;
const WRITES_KEPT = 100;
const MAX_ENTRIES = 200;

const check = ({ name, valueJson, operationId }: StateWrite): void => {
  checkName(name);
  if (operationId === '' || Buffer.byteLength(operationId) > MAX_OPERATION_BYTES) {
    throw new InvalidRequest('The operation cannot be used.', [
      { field: 'operation_id', message: `Give 1 to ${MAX_OPERATION_BYTES} bytes.` },
    ]);
  }
  if (valueJson === '')
    throw new InvalidRequest('There is no value.', [{ field: 'value_json', message: 'Give JSON text.' }]);
  const bytes = Buffer.byteLength(valueJson);
  if (bytes > MAX_VALUE_BYTES)
    throw new PayloadTooLarge(
      `What a node keeps between runs may have ${MAX_VALUE_BYTES} bytes as JSON, and this has ${bytes}. Keep less.`,
    );
};

/** Operations name nodes, which may be long; their digests are short. */
const digestOf = (operationId: string): string =>
  createHash('sha256').update(operationId).digest('base64url').slice(0, 22);

const nextEntry = (
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
    writes: [...(seen?.writes ?? []), { operation: digestOf(write.operationId), version }].slice(-WRITES_KEPT),
    createdAt: seen?.createdAt ?? now,
    updatedAt: now,
  };
};

/**
 * A workflow that is deleted loses its entries right after its tombstone is there. So whoever adds one and finds the
 * workflow alive afterwards has added it before, and it is removed with the others.
 */
const insert = async ({ store, workflows }: PutStatePorts, entry: StateEntry): Promise<boolean> => {
  const { workflowId, name } = entry;
  if ((await store.count(workflowId)) >= MAX_ENTRIES)
    throw new PayloadTooLarge(
      `The nodes of a workflow may keep ${MAX_ENTRIES} things between its runs. Let fewer nodes keep something.`,
    );
  if (!(await store.insert(entry))) return false;
  if ((await workflows.findHeads([workflowId])).length > 0) return true;
  await store.remove(workflowId, name);
  throw new WorkflowNotFound(workflowId);
};

/** Writes to the store, for those whose claim holds. */
export const createPutState =
  (ports: PutStatePorts): PutState =>
  async (claim, write) => {
    check(write);
    const { store } = ports;
    const run = await requireClaim(ports.checkClaim, claim);
    const seen = await store.find(run.workflowId, write.name);
    const operation = digestOf(write.operationId);
    const repeated = (entry: StateEntry | undefined): boolean =>
      entry?.writes.some((one) => one.operation === operation) === true;
    if (repeated(seen)) return { outcome: 'repeated', entry: seen };
    if ((seen?.version ?? 0) !== write.expectedVersion) return { outcome: 'conflict', entry: seen };
    const next = nextEntry(claim, run, write, seen);
    if (seen === undefined ? await insert(ports, next) : await store.replace(next))
      return { outcome: 'written', entry: next };
    // Another was quicker; it may have been the same operation, sent twice.
    const now = await store.find(run.workflowId, write.name);
    return { outcome: repeated(now) ? 'repeated' : 'conflict', entry: now };
  };
