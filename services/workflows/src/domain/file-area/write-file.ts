import { setTimeout as sleep } from 'node:timers/promises';
import { checkLimit, LIMITS } from '@weft/service-kit/limits';
import { uuidv7 } from '@weft/service-kit/ids';
import type { ClaimedRun } from '../versions/claims';
import type { SerialChanges } from '../workflows/change-workflow';
import { WorkflowBusy, WorkflowNotFound } from '../errors';
import type { ScopedWorkflows } from '../scoped-stores';
import {
  checkRoom,
  CHUNK_BYTES,
  emptyArea,
  fileAt,
  isRepeated,
  withFile,
  type FileArea,
  type FileChunk,
  type FileWrite,
} from './file-area';
import type { FileAreaStore } from './ports';

export interface WriteDeps {
  readonly areas: FileAreaStore;
  readonly workflows: Pick<ScopedWorkflows, 'findHeads'>;
  readonly serial: Pick<SerialChanges, 'oneByOne'>;
}

/** Maximum conflicts with writes of other replicas before a write gives up. */
const ATTEMPTS = 30;
const MAX_PAUSE_MS = 200;
/** Maximum pause between two chunks of an upload, in milliseconds. */
const MAX_CHUNK_PAUSE_MS = 250;
/** Chunks of an interrupted write are removed after this time, which exceeds the duration of any write. */
const ABANDONED_MS = 3_600_000;

/** Regroups a stream into chunks; none for an empty one. */
async function* inChunks(data: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  for await (const piece of data) {
    held = Buffer.concat([held, piece]);
    for (; held.length >= CHUNK_BYTES; held = held.subarray(CHUNK_BYTES)) yield held.subarray(0, CHUNK_BYTES);
  }
  if (held.length > 0) yield held;
}

/** Consumes the stream without storing anything. */
const drain = async (data: AsyncIterable<Buffer>): Promise<void> => {
  for await (const piece of data) void piece;
};

/** Stores new chunks, and remembers them. */
const createUpload = ({ areas }: WriteDeps, workflowId: string) => {
  const added: string[] = [];
  return {
    added: added as readonly string[],
    add: async (bytes: Buffer): Promise<FileChunk> => {
      const chunk = { id: uuidv7(), bytes: bytes.length };
      added.push(chunk.id);
      await areas.insertChunk(workflowId, chunk.id, bytes);
      return chunk;
    },
  };
};

type Upload = ReturnType<typeof createUpload>;

/** Stores the content, and stops as soon as there is no room for it. @throws LimitExceeded */
const upload = async (
  to: Upload,
  area: FileArea,
  write: FileWrite,
  data: AsyncIterable<Buffer>,
): Promise<FileChunk[]> => {
  const chunks: FileChunk[] = [];
  let total = 0;
  for await (const bytes of inChunks(data)) {
    total += bytes.length;
    checkRoom(area, write, total);
    const begunAt = performance.now();
    chunks.push(await to.add(bytes));
    // As long as the write took, so that large files leave half of the store's time to others.
    await sleep(Math.min(MAX_CHUNK_PAUSE_MS, performance.now() - begunAt));
  }
  return chunks;
};

/**
 * The content of the file after the write. When appending, the last chunk and the first new one are merged if they fit,
 * so that many small writes give few chunks.
 * @returns undefined if the last chunk no longer exists: the area has changed
 */
const contentOf = async (
  { areas }: WriteDeps,
  to: Upload,
  seen: FileArea,
  write: FileWrite,
  chunks: readonly FileChunk[],
): Promise<readonly FileChunk[] | undefined> => {
  const before = write.append ? (fileAt(seen, write.path)?.chunks ?? []) : [];
  const [last, first] = [before.at(-1), chunks[0]];
  if (last === undefined || first === undefined || last.bytes + first.bytes > CHUNK_BYTES)
    return [...before, ...chunks];
  const [head, tail] = await Promise.all([last, first].map(({ id }) => areas.readChunk(seen.workflowId, id)));
  if (head === undefined || tail === undefined) return undefined;
  return [...before.slice(0, -1), await to.add(Buffer.concat([head, tail])), ...chunks.slice(1)];
};

/**
 * Sets the content of the file by compare-and-set of the whole area.
 * @returns the new area; undefined if it has changed meanwhile
 */
const commit = async (
  deps: WriteDeps,
  to: Upload,
  seen: FileArea,
  write: FileWrite,
  chunks: readonly FileChunk[],
): Promise<FileArea | undefined> => {
  const { areas, workflows } = deps;
  checkRoom(
    seen,
    write,
    chunks.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  const content = await contentOf(deps, to, seen, write, chunks);
  if (content === undefined) return undefined;
  const next = withFile(seen, write, content, new Date());
  if (next.bytes > seen.bytes)
    checkLimit(LIMITS.ownerFileBytes, next.bytes + (await areas.bytesOfOwner(next.ownerId, next.workflowId)));
  if (!(await areas.put(next))) return undefined;
  // A deleted workflow loses its area right after its tombstone is written. A writer that adds an area and then still
  // finds the workflow has added it before the tombstone, so it will be removed.
  if (next.version === 1 && (await workflows.findHeads([next.workflowId])).length === 0) {
    await areas.removeAll(next.workflowId);
    throw new WorkflowNotFound(next.workflowId);
  }
  return next;
};

const idsIn = (area: FileArea): string[] => area.files.flatMap(({ chunks }) => chunks.map(({ id }) => id));

/** Removes the chunks that no file uses any more: replaced ones, and those of interrupted writes. */
const removeUnused = async (
  { areas }: WriteDeps,
  seen: FileArea,
  next: FileArea,
  added: readonly string[],
): Promise<void> => {
  const listed = idsIn(next);
  const used = new Set(listed);
  await areas.removeChunks(
    next.workflowId,
    [...idsIn(seen), ...added].filter((id) => !used.has(id)),
  );
  await areas.removeUnlisted(next.workflowId, listed, new Date(Date.now() - ABANDONED_MS));
};

/**
 * Writes one file for a run, atomically: readers see all of it or nothing, and concurrent writes are serialized.
 * @returns size of the file in bytes; 0 if the write was repeated and the file no longer exists
 * @throws LimitExceeded, WorkflowNotFound; WorkflowBusy if other replicas keep writing
 */
export const writeFile = async (
  deps: WriteDeps,
  { workflowId, ownerId }: ClaimedRun,
  write: FileWrite,
  data: AsyncIterable<Buffer>,
): Promise<number> => {
  const { areas, serial } = deps;
  const look = async (): Promise<FileArea> => (await areas.find(workflowId)) ?? emptyArea(workflowId, ownerId);
  const first = await look();
  if (isRepeated(first, write)) {
    await drain(data);
    return fileAt(first, write.path)?.bytes ?? 0;
  }
  checkRoom(first, write, 0);
  const to = createUpload(deps, workflowId);
  let done: { readonly seen: FileArea; readonly next: FileArea } | undefined;
  try {
    const chunks = await upload(to, first, write, data);
    return await serial.oneByOne(workflowId, async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const seen = await look();
        if (isRepeated(seen, write)) return fileAt(seen, write.path)?.bytes ?? 0;
        const next = await commit(deps, to, seen, write, chunks);
        if (next !== undefined) {
          done = { seen, next };
          return fileAt(next, write.path)?.bytes ?? 0;
        }
        await sleep(Math.random() * Math.min(2 ** attempt, MAX_PAUSE_MS));
      }
      throw new WorkflowBusy(workflowId);
    });
  } finally {
    if (done === undefined) await areas.removeChunks(workflowId, to.added);
    else await removeUnused(deps, done.seen, done.next, to.added);
  }
};
