import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDuplicateKey, storeUnavailable, toBuffer, withStore } from '@weft/service-kit/mongo';
import { InvalidRequest } from '@weft/service-kit/errors';
import { LimitExceeded, LIMITS } from '@weft/service-kit/limits';
import { pack, unpack } from '@weft/service-kit/packing';
import mongoose from 'mongoose';
import type { ChunkHead, ChunkStore } from '../../domain/data/chunks';
import { ChunkNotFound } from '../../domain/state/errors';
import { CHUNK_BYTES } from '../../domain/state/limits';
import type { Clock } from '../../domain/state/ports';
import type { ChunkDocument, ChunkModel } from './chunk-schema';
import { confirmRefusals, insertWitness } from '../executions/confirm-refusals';
import { reviewDate } from '../executions/owned-rows';

const { trusted } = mongoose;

/** Longest pause between two parts of one upload, in milliseconds. */
const MAX_PAUSE_MS = 250;

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const idOf = (executionId: string, reference: string, part: number): string => `${executionId}:${reference}:${part}`;

/** Regroups a stream into parts of the size of a chunk. @throws LimitExceeded */
async function* inParts(data: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  let total = 0;
  for await (const piece of data) {
    total += piece.length;
    if (total > maxBytes)
      throw new LimitExceeded({ ...LIMITS.nodeOutput, max: maxBytes, what: 'The uploaded data' }, total);
    held.push(piece);
    length += piece.length;
    if (length < CHUNK_BYTES) continue;
    const joined = Buffer.concat(held);
    for (length = joined.length; length >= CHUNK_BYTES; length -= CHUNK_BYTES)
      yield joined.subarray(joined.length - length, joined.length - length + CHUNK_BYTES);
    held = [joined.subarray(joined.length - length)];
  }
  if (length > 0 || total === 0) yield Buffer.concat(held);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Inserts a part; an existing one stays, since a reference identifies the content. */
const insertOnce = async (model: ChunkModel, document: ChunkDocument): Promise<void> => {
  try {
    await withStore(() => model.insertMany([document], { lean: true }));
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    if ((await withStore(() => model.exists({ _id: document._id }).exec())) === null) throw storeUnavailable(error);
  }
};

/** The same; a refusal is final once it is confirmed. */
const insert = (model: ChunkModel, document: ChunkDocument): Promise<void> =>
  confirmRefusals(
    () => insertOnce(model, document),
    insertWitness(model, model.collection.name, () => ({ executionId: '', reference: '', reviewAt: new Date() })),
  )(undefined);

const putStream =
  (model: ChunkModel, clock: Clock): ChunkStore['putStream'] =>
  async (executionId, reference, { data, maxBytes, facts, admit }) => {
    const reviewAt = reviewDate(clock);
    let first: Buffer | undefined;
    let part = 0;
    let size = 0;
    // Most file formats are already compressed.
    const documentOf = async (index: number, raw: Buffer): Promise<ChunkDocument> => {
      const packed = facts.mimeType === undefined ? await pack(raw) : { bytes: raw };
      return {
        _id: idOf(executionId, reference, index),
        executionId,
        reference,
        ...packed,
        sha256: sha256(packed.bytes),
        reviewAt,
      };
    };
    for await (const bytes of inParts(data, maxBytes)) {
      size += bytes.length;
      if (part === 0) first = bytes;
      else {
        const begunAt = performance.now();
        await insert(model, await documentOf(part, bytes));
        // Pauses for as long as the write took, so that large data leaves half of the store's time to others.
        await sleep(Math.min(MAX_PAUSE_MS, performance.now() - begunAt));
      }
      part += 1;
    }
    if (first === undefined) throw new InvalidRequest('The upload is empty.');
    await admit(size);
    await insert(model, { ...(await documentOf(0, first)), parts: part, size, ...facts });
  };

const readPart = async (
  model: ChunkModel,
  executionId: string,
  reference: string,
  part: number,
): Promise<ChunkDocument & { readonly bytes: Buffer }> => {
  const found = await withStore(() =>
    model
      .findOne({ _id: idOf(executionId, reference, part) })
      .lean<ChunkDocument>()
      .exec(),
  );
  const stored = toBuffer(found?.bytes);
  if (found === null || stored === undefined || sha256(stored) !== found.sha256) throw new ChunkNotFound(reference);
  return { ...found, bytes: await unpack({ ...found, bytes: stored }) };
};

async function* read(model: ChunkModel, executionId: string, reference: string): AsyncGenerator<Buffer> {
  const head = await readPart(model, executionId, reference, 0);
  yield head.bytes;
  for (let part = 1; part < (head.parts ?? 1); part += 1)
    yield (await readPart(model, executionId, reference, part)).bytes;
}

type Head = Pick<ChunkDocument, 'reference' | 'size' | 'mimeType' | 'fileName'>;

const HEAD_FIELDS = { reference: 1, size: 1, mimeType: 1, fileName: 1 } as const;

const toHead = ({ size = 0, mimeType, fileName }: Head): ChunkHead => ({
  size,
  ...(mimeType === undefined ? {} : { mimeType }),
  ...(fileName === undefined ? {} : { fileName }),
});

const admitAll = (): Promise<void> => Promise.resolve();

/** Chunks in MongoDB. */
export const createChunkStore = (model: ChunkModel, clock: Clock): ChunkStore => ({
  put: (executionId, reference, bytes) =>
    putStream(model, clock)(executionId, reference, {
      data: once(bytes),
      maxBytes: bytes.length,
      facts: {},
      admit: admitAll,
    }),
  putStream: putStream(model, clock),
  read: (executionId, reference) => read(model, executionId, reference),
  headsOf: async (executionId, references) => {
    if (references.length === 0) return new Map();
    const ids = references.map((reference) => idOf(executionId, reference, 0));
    const heads = await withStore(() =>
      model
        .find({ _id: trusted({ $in: ids }) }, HEAD_FIELDS)
        .lean<Head[]>()
        .exec(),
    );
    return new Map(heads.map((head) => [head.reference, toHead(head)]));
  },
  deleteAll: async (executionIds) => {
    if (executionIds.length > 0)
      await withStore(() => model.deleteMany({ executionId: trusted({ $in: [...executionIds] }) }).exec());
  },
});
