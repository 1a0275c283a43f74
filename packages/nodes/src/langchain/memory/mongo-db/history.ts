import { createHash } from 'node:crypto';
import { NodeFailure } from '@weft/engine';
import { DatabaseFailed, type MongoDocument, mongoIdOf, type MongoSession } from '@weft/outbound';
import type { Json } from '@weft/node-catalogue';
import { jsonOfRow } from '../../../shared/sql/json-of-row';
import type { ConversationStore } from '../conversation';
import { LOAD_BOUNDS, messageId } from '../shared-store';
import { fromStoredMessage, toStoredMessage } from '../stored-message';
import { newestThatFit } from '../turns';

/** Attempts of a change that lost to other runs. */
const TRIES = 10;
const TAKEN: readonly string[] = ['11000', 'DuplicateKey'];
const FIELD = 'messages';

/** Runs some work in a separate session. */
export type WithSession = <Result>(work: (session: MongoSession) => Promise<Result>) => Promise<Result>;

/** A conversation in a document as n8n writes it: `{ sessionId, messages }`. */
export function mongoConversation(withSession: WithSession, collection: string, sessionId: string): ConversationStore {
  const find = async (session: MongoSession, filter: MongoDocument, newest: number): Promise<Json[] | undefined> => {
    const projection = { [FIELD]: { $slice: -newest } };
    const [document] = await session.find(collection, { filter, limit: 1, skip: 0, projection });
    if (document === undefined) return undefined;
    const { [FIELD]: messages } = jsonOfRow(document);
    return Array.isArray(messages) ? messages : [];
  };
  return {
    read: () =>
      withSession(async (session) => {
        const stored = await find(session, { sessionId }, LOAD_BOUNDS.messages);
        return newestThatFit((stored ?? []).flatMap(fromStoredMessage), LOAD_BOUNDS);
      }),
    append: (messages, { replaces, operation }) =>
      withSession(async (session) => {
        const id = messageId(operation);
        if ((await find(session, { sessionId, [`${FIELD}.data.id`]: id }, 1)) !== undefined) return;
        const values = messages.map((message, at) => ({ ...toStoredMessage(message, messageId(operation, at)) }));
        await insertedOnce(() =>
          session.changeArray(collection, {
            filter: { sessionId },
            field: FIELD,
            values,
            replaces,
            inserted: { _id: idOf(sessionId) },
          }),
        );
      }),
    remove: (count) =>
      withSession(async (session) => {
        if (count === undefined) await session.deleteMany(collection, { sessionId });
        else await removeLast(session, count);
      }),
  };

  /** Other runs may append in the meantime: the change applies only to the length that was read. */
  async function removeLast(session: MongoSession, count: number): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const stored = await find(session, { sessionId }, Number.MAX_SAFE_INTEGER);
      if (stored === undefined || stored.length < count) return;
      const filter = { sessionId, [FIELD]: { $size: stored.length } };
      const keep = stored.length - count;
      if (await session.changeArray(collection, { filter, field: FIELD, values: [], replaces: false, keep })) return;
    }
    throw new NodeFailure('Other runs keep changing the conversation', { description: 'Run the node again.' });
  }
}

/** Of runs that begin a conversation at the same time, one inserts the document; the others append to it. */
async function insertedOnce(change: () => Promise<boolean>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await change();
      return;
    } catch (thrown) {
      if (tries >= TRIES || !(thrown instanceof DatabaseFailed) || !TAKEN.includes(thrown.code)) throw thrown;
    }
  }
}

/** The same for every run, so that a conversation has one document. */
const idOf = (sessionId: string): unknown =>
  mongoIdOf(createHash('sha256').update(sessionId).digest('hex').slice(0, 24));
