import { withStore } from '@weft/service-kit/mongo';
import mongoose from 'mongoose';
import { isFileReference } from '../domain/binary';
import type { FindOrphans } from '../domain/chunks';
import type { ExecutionRecord } from '../domain/execution';
import { isEndState } from '../domain/execution-state';
import { readRuns } from '../domain/node-runs';
import type { Clock } from '../domain/ports';
import type { ChunkDocument, ChunkModel } from './chunk-schema';
import type { ExecutionModel } from './execution-schema';
import { QUERIES } from './queries';

const { trusted } = mongoose;

/** A chunk is written before the document that names it: younger ones may still be about to be named. */
const YOUNG_MS = 24 * 3_600_000;

type Part = Pick<ChunkDocument, '_id' | 'executionId' | 'reference' | 'createdAt'>;
type Owner = Pick<ExecutionRecord, '_id' | 'state' | 'manifest' | 'inputChunk' | 'engineStateChunk' | 'response' | 'lastResponse'>;

const OWNER_FIELDS = { state: 1, 'manifest.chunk': 1, 'manifest.runs': 1, inputChunk: 1, engineStateChunk: 1, 'response.bodyChunk': 1, 'lastResponse.bodyChunk': 1 } as const;

/** Every chunk a document names. */
const namedBy = ({ manifest, inputChunk, engineStateChunk, response, lastResponse }: Owner): ReadonlySet<string | undefined> =>
  new Set([inputChunk, engineStateChunk, response?.bodyChunk, lastResponse?.bodyChunk, ...manifest.flatMap((segment) => [segment.chunk, ...readRuns(segment).map(({ chunk }) => chunk)])]);

/** Parts of executions that are gone, and parts that an ended execution does not name. A live one may name any of its own; files are kept. */
const orphansOf = (parts: readonly Part[], owners: readonly Owner[]): string[] => {
  const named = new Map(owners.map((owner) => [owner._id, isEndState(owner.state) ? namedBy(owner) : undefined]));
  return parts
    .filter(({ executionId, reference }) => !named.has(executionId) || (!isFileReference(reference) && named.get(executionId)?.has(reference) === false))
    .map(({ _id }) => _id);
};

/** Finds chunks that nothing needs. */
export const createFindOrphans =
  (chunks: ChunkModel, executions: ExecutionModel, clock: Clock): FindOrphans =>
  async (after, most) => {
    const parts = await withStore(() =>
      chunks.find({ _id: trusted({ $gt: after }) }, { executionId: 1, reference: 1, createdAt: 1 }).sort({ _id: 1 }).limit(most).lean<Part[]>().exec());
    const old = parts.filter(({ createdAt }) => createdAt.getTime() < clock() - YOUNG_MS);
    const ids = [...new Set(old.map(({ executionId }) => executionId))];
    const owners = ids.length === 0 ? [] : await withStore(() => executions.find(QUERIES.byIds(ids).filter, OWNER_FIELDS).lean<Owner[]>().exec());
    const last = parts.length === most ? parts.at(-1)?._id : undefined;
    return { orphans: orphansOf(old, owners), ...(last === undefined ? {} : { last }) };
  };

/** Deletes parts by id. */
export const createRemoveParts =
  (chunks: ChunkModel) =>
  async (ids: readonly string[]): Promise<void> => {
    await withStore(() => chunks.deleteMany({ _id: trusted({ $in: [...ids] }) }).exec());
  };
