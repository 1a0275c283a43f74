import { createHash } from 'node:crypto';
import type { Json } from '@weft/node-catalogue';
import { databaseFailure } from '../../shared/sql/sql-failure';

/** Bounds of what is read of one conversation that n8n may have written as well: the newest messages. */
export const LOAD_BOUNDS = { messages: 1_000, bytes: 512 * 1024 };

/** The id of a message of a write, by its number. A write whose first message is stored was made before. */
export const messageId = (operation: string, index = 0): string =>
  `weft-${createHash('sha256').update(operation).digest('base64url').slice(0, 22)}-${index}`;

/** A stored value; undefined if it is not JSON. */
export function parsedJson(value: unknown): Json | undefined {
  try {
    const json: Json | undefined = typeof value === 'string' ? JSON.parse(value) : undefined;
    return json;
  } catch {
    return undefined;
  }
}

/** Runs some work in a session, and closes the session. @throws NodeFailure for failures of the database */
export async function inSession<Session extends { close(): void }, Result>(
  open: () => Promise<Session>,
  itemIndex: number,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = await open();
  try {
    return await work(session);
  } catch (thrown) {
    throw databaseFailure(thrown, itemIndex);
  } finally {
    session.close();
  }
}
