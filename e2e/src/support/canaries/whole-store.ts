import type { Stack } from '@weft/local-stack';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import mongoose from 'mongoose';

const MAX_DEPTH = 50;

const expanded = (bytes: Buffer): Buffer[] => {
  const found = [bytes];
  for (const expand of [zstdDecompressSync, gunzipSync]) {
    try {
      found.push(expand(bytes));
    } catch {
      // it is not compressed in this way
    }
  }
  return found;
};

const bytesOf = (value: object): Buffer | undefined => {
  if (Buffer.isBuffer(value)) return value;
  const inner: unknown = '_bsontype' in value && 'buffer' in value ? value.buffer : undefined;
  return inner instanceof Uint8Array ? Buffer.from(inner) : undefined;
};

/** Names and values at any depth, each as a separate piece; compressed values are expanded. */
const piecesOf = (value: unknown, depth = 0): Buffer[] => {
  if (depth > MAX_DEPTH) throw new Error('A document is nested too deeply to be searched.');
  if (typeof value === 'string') return [Buffer.from(value)];
  if (typeof value !== 'object' || value === null) return [];
  const bytes = bytesOf(value);
  if (bytes !== undefined) return expanded(bytes);
  return Object.entries(value).flatMap(([name, member]) => [Buffer.from(name), ...piecesOf(member, depth + 1)]);
};

/** Every document of every collection of a stack's databases, by `database.collection`. */
export const readWholeStore = async (stack: Stack): Promise<ReadonlyMap<string, Buffer>> => {
  const client = await mongoose.createConnection(stack.mongodbUri).asPromise();
  const dump = new Map<string, Buffer>();
  try {
    for (const service of ['workflows', 'executions', 'credentials']) {
      const database = client.useDb(`${stack.namespace}_${service}`);
      for (const { name } of await database.listCollections()) {
        const documents = await database.collection(name).find({}).toArray();
        const pieces = documents.flatMap((document) => [...piecesOf(document), Buffer.from('\n')]);
        dump.set(`${service}.${name}`, Buffer.concat(pieces.flatMap((piece) => [piece, Buffer.from(' ')])));
      }
    }
  } finally {
    await client.close();
  }
  return dump;
};
