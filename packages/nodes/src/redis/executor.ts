import { type Json, type JsonObject, textField } from '@weft/node-catalogue';
import { type Item, type NodeContext, type NodeExecutor, output } from '@weft/engine';
import type { RedisServer, RedisSession } from '@weft/outbound';
import { eachItem, madeItem, type MadeItem } from '../shared/each-item';
import { booleanParameter, choiceParameter, numberParameter, textParameter } from '../shared/read-parameter';
import { serverAddress } from '../shared/sql/server-address';
import { boundsOf, databaseFailure, openedSession } from '../shared/sql/sql-failure';
import { setPath } from '../shared/values/json-path';
import { infoOf } from './info';
import { KEY_TYPES, readKey, replyJson, writeKey } from './keys';

const DEFAULT_PORT = 6379;
const CONNECT_MS = 10_000;
const OPERATIONS = ['delete', 'get', 'incr', 'info', 'keys', 'llen', 'pop', 'publish', 'push', 'set'] as const;

type Operation = Exclude<(typeof OPERATIONS)[number], 'info'>;

/** Reads and writes keys of a Redis server. Version 1. */
export const redis: NodeExecutor = {
  kind: 'redis',
  actsOutside: true,
  run: async (context) => {
    const operation = choiceParameter(context, 'operation', 0, OPERATIONS);
    const session = await openSession(context);
    try {
      return output(operation === 'info' ? await info(context, session) : await runEach(context, session, operation));
    } finally {
      session.close();
    }
  },
};

async function openSession(context: NodeContext): Promise<RedisSession> {
  const server = redisServerOf(await context.credential('redis'));
  return openedSession(context.ports.databases.redis(server, boundsOf(CONNECT_MS), context.signal));
}

/** The server in a credential of type redis. @throws NodeFailure for invalid fields */
export function redisServerOf(data: JsonObject): RedisServer {
  const tls = { rejectUnauthorized: data['disableTlsVerification'] !== true };
  return {
    ...serverAddress('redis', data, DEFAULT_PORT),
    user: textField(data, 'user') ?? '',
    password: textField(data, 'password') ?? '',
    database: Math.trunc(Number(data['database'] ?? 0)) || 0,
    ...(data['ssl'] === true ? { tls } : {}),
  };
}

async function info(context: NodeContext, session: RedisSession): Promise<Item[]> {
  const text = String(await session.command('INFO').catch(rethrow()));
  return [{ json: infoOf(text), pairedItem: context.items.map((_, item) => ({ item })) }];
}

function runEach(context: NodeContext, session: RedisSession, operation: Operation): Promise<Item[]> {
  return eachItem(context, async (item, index) => {
    const made = await runOne(context, session, operation, index).catch(rethrow(index));
    // Write operations output their input items.
    return [made ?? madeItem(item.json, item.binary)];
  });
}

const rethrow =
  (itemIndex?: number) =>
  (thrown: unknown): never => {
    throw databaseFailure(thrown, itemIndex);
  };

async function runOne(
  context: NodeContext,
  session: RedisSession,
  operation: Operation,
  index: number,
): Promise<MadeItem | undefined> {
  const text = (name: string): string => textParameter(context, name, index);
  const end = booleanParameter(context, 'tail', index) ? 'R' : 'L';
  switch (operation) {
    case 'delete':
      await session.command('DEL', text('key'));
      return undefined;
    case 'publish':
      await session.command('PUBLISH', text('channel'), text('messageData'));
      return undefined;
    case 'push':
      await session.command(`${end}PUSH`, text('list'), text('messageData'));
      return undefined;
    case 'set':
      await set(context, session, index);
      return undefined;
    case 'get': {
      const value = await readKey(session, text('key'), choiceParameter(context, 'keyType', index, KEY_TYPES));
      return named(context, value, index);
    }
    case 'pop':
      return named(context, parsed(replyJson(await session.command(`${end}POP`, text('list')))), index);
    case 'llen':
      return entry(text('list'), replyJson(await session.command('LLEN', text('list'))));
    case 'incr':
      return incr(context, session, index);
    case 'keys':
      return keys(context, session, index);
  }
}

const entry = (name: string, value: Json): MadeItem => ({ json: Object.fromEntries([[name, value]]) });

/** A value under the name in the parameters. */
function named(context: NodeContext, value: Json, index: number): MadeItem {
  const name = textParameter(context, 'propertyName', index, 'propertyName');
  if (!booleanParameter(context, 'options.dotNotation', index, true)) return entry(name, value);
  const json: JsonObject = {};
  setPath(json, name, value);
  return { json };
}

function parsed(value: Json): Json {
  try {
    return typeof value === 'string' && value !== '' ? JSON.parse(value) : value;
  } catch {
    return value;
  }
}

async function set(context: NodeContext, session: RedisSession, index: number): Promise<void> {
  const key = textParameter(context, 'key', index);
  await writeKey(session, key, {
    value: context.parameter('value', index),
    type: choiceParameter(context, 'keyType', index, KEY_TYPES),
    isJson: booleanParameter(context, 'valueIsJSON', index, true),
    itemIndex: index,
  });
  if (booleanParameter(context, 'expire', index)) await session.command('EXPIRE', key, secondsOf(context, index));
}

async function incr(context: NodeContext, session: RedisSession, index: number): Promise<MadeItem> {
  const key = textParameter(context, 'key', index);
  const value = replyJson(await session.command('INCR', key));
  if (booleanParameter(context, 'expire', index) && secondsOf(context, index) > 0)
    await session.command('EXPIRE', key, secondsOf(context, index));
  return entry(key, value);
}

function secondsOf(context: NodeContext, index: number): number {
  return Math.trunc(numberParameter(context, 'ttl', index));
}

async function keys(context: NodeContext, session: RedisSession, index: number): Promise<MadeItem> {
  const names = replyJson(await session.command('KEYS', textParameter(context, 'keyPattern', index)));
  if (!booleanParameter(context, 'getValues', index, true)) return { json: { keys: names } };
  const values: [string, Json][] = [];
  for (const name of Array.isArray(names) ? names.map(String) : [])
    values.push([name, await readKey(session, name, 'automatic')]);
  return { json: Object.fromEntries(values) };
}
