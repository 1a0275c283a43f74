import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDuplicateKey, isRefusalOfContent, storeUnavailable, withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';

/** Number of refusals, each after a write of the same kind that was accepted, that make a refusal final. */
const CONFIRMATIONS = 3;

/** Maximum wait between a refusal and its witness, in milliseconds. */
const MAX_WAIT_MS = 20;

/** Another write of the same kind. Its success shows that the server is well. */
export type Witness<Item> = (item: Item) => Promise<unknown>;

/** A taken key is an outcome of an insert, which the caller handles. */
const isRefusedInsert = (error: unknown): boolean => isRefusalOfContent(error) && !isDuplicateKey(error);

/**
 * Confirms that the server refuses the content of a write: a write of the same kind must succeed after the refusal, and
 * the write must then be refused again, three times. A refusal without such a witness is a condition of the server.
 * @throws Unavailable without a witness; the refusal if it is confirmed; any other error of the write unchanged
 */
export const confirmRefusals =
  <Item, Result>(
    send: (item: Item) => Promise<Result>,
    witness: Witness<Item>,
    isRefused: (error: unknown) => boolean = isRefusedInsert,
  ): ((item: Item) => Promise<Result>) =>
  async (item) => {
    for (let refusals = 0; ; refusals += 1) {
      try {
        return await send(item);
      } catch (error) {
        if (!isRefused(error) || refusals === CONFIRMATIONS) throw error;
        await sleep(Math.random() * MAX_WAIT_MS);
        await witness(item).catch(() => {
          throw storeUnavailable(error);
        });
      }
    }
  };

/**
 * The witness of an insert: a small document, which is removed at once. Its fields let a later clean-up find it if the
 * process ends in between.
 */
export const insertWitness = (
  { db }: { readonly db: Connection },
  collection: string,
  fields: () => Readonly<Record<string, unknown>>,
): Witness<unknown> => {
  const rows = db.collection<{ readonly _id: string }>(collection);
  return async () => {
    const _id = `witness:${randomUUID()}`;
    await withStore(() => rows.insertOne({ _id, ...fields() }));
    await withStore(() => rows.deleteOne({ _id }));
  };
};
