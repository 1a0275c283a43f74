import { type Json, isJsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { RedisReply, RedisSession } from '@weft/outbound';
import { toJson } from '@weft/expressions';

/** Types of keys, as in the parameters. */
export const KEY_TYPES = ['automatic', 'hash', 'list', 'sets', 'string'] as const;

export type KeyType = (typeof KEY_TYPES)[number];

/** A reply as JSON. */
export function replyJson(reply: RedisReply): Json {
  return typeof reply === 'object' && reply !== null ? reply.map(replyJson) : reply;
}

/** The value of a key; null if it does not exist or has an unsupported type. */
export async function readKey(session: RedisSession, key: string, given: KeyType): Promise<Json> {
  switch (given === 'automatic' ? String(await session.command('TYPE', key)) : given) {
    case 'string':
      return replyJson(await session.command('GET', key));
    case 'hash':
      return hashOf(await session.command('HGETALL', key));
    case 'list':
      return replyJson(await session.command('LRANGE', key, 0, -1));
    case 'set':
    case 'sets':
      return replyJson(await session.command('SMEMBERS', key));
    default:
      return null;
  }
}

/** Converts alternating fields and values to an object. */
function hashOf(reply: RedisReply): Json {
  const parts = typeof reply === 'object' && reply !== null ? reply.map(replyJson) : [];
  return Object.fromEntries(
    parts.flatMap((part, index): [string, Json][] =>
      index % 2 === 0 ? [[String(part), parts[index + 1] ?? null]] : [],
    ),
  );
}

/** The value to write under a key. */
export interface KeyWrite {
  readonly value: unknown;
  readonly type: KeyType;
  /** For hashes: the value is an object or its JSON. */
  readonly isJson: boolean;
  readonly itemIndex: number;
}

/** Writes a key. @throws NodeFailure for a value that does not fit the type */
export async function writeKey(session: RedisSession, key: string, { value, ...write }: KeyWrite): Promise<void> {
  const { itemIndex } = write;
  const json = toJson(value) ?? null;
  switch (write.type === 'automatic' ? typeOf(json, itemIndex) : write.type) {
    case 'hash':
      for (const [field, text] of fieldsOf(json, write.isJson, itemIndex))
        await session.command('HSET', key, field, text);
      return;
    case 'list':
      return writeList(session, key, entriesOf(json));
    case 'sets': {
      const members = entriesOf(json);
      if (members.length > 0) await session.command('SADD', key, ...members);
      return;
    }
    case 'string':
      await session.command('SET', key, textOf(json));
  }
}

function typeOf(json: Json, itemIndex: number): Exclude<KeyType, 'automatic'> {
  if (typeof json === 'string') return 'string';
  if (Array.isArray(json)) return 'list';
  if (isJsonObject(json)) return 'hash';
  throw new NodeFailure('Could not identify the type to set. Please set it manually!', { itemIndex });
}

/** Replaces entries at existing indexes, and appends the others. */
async function writeList(session: RedisSession, key: string, entries: readonly string[]): Promise<void> {
  const length = Number(await session.command('LLEN', key));
  for (const [index, entry] of entries.entries()) {
    if (index < length) await session.command('LSET', key, index, entry);
    else await session.command('RPUSH', key, entry);
  }
}

function entriesOf(json: Json): string[] {
  return (Array.isArray(json) ? json : [json]).map(textOf);
}

function textOf(json: Json): string {
  return typeof json === 'object' && json !== null ? JSON.stringify(json) : String(json ?? '');
}

function fieldsOf(json: Json, isJson: boolean, itemIndex: number): [string, string][] {
  if (!isJson) {
    const words = textOf(json).split(' ');
    return words.flatMap((word, index): [string, string][] =>
      index % 2 === 0 ? [[word, words[index + 1] ?? '']] : [],
    );
  }
  const value = typeof json === 'string' ? parsed(json) : json;
  if (!isJsonObject(value))
    throw new NodeFailure('The value must be a JSON object, as the key is a hash', {
      itemIndex,
      description: 'Turn "Value is JSON" off to write `field value field value …`.',
    });
  return Object.entries(value).map(([field, entry]) => [field, textOf(entry)]);
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
