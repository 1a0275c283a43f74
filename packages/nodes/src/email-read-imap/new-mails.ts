import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import type { Mailbox, MailboxServer, MailCondition } from '@weft/outbound';
import type { KnownEvents } from '../shared/polling/poll';

/** Maximum number of mails in one run. */
export const MAX_MAILS = 50;
/** Mails that exceed this total number of bytes wait for the next run, unless there is only one. */
const MAX_RUN_BYTES = 64 * 1024 * 1024;

export interface FoundMail {
  readonly uid: number;
  readonly bytes: number;
}

/** New mails, and the state to store. */
export interface NewMails {
  readonly mails: readonly FoundMail[];
  readonly next: JsonObject;
}

/** Search options. */
export interface MailQuery {
  readonly conditions: readonly MailCondition[];
  /** True: mails that were already found are not considered again. */
  readonly tracksUids: boolean;
  /** Earliest day of mails in the first poll, `YYYY-MM-DD`. Absent: all days. */
  readonly firstDay?: string;
}

/** Identifies a mailbox of a server in the state. State of another mailbox is ignored. */
export function mailboxKey({ host, port, user }: MailboxServer, name: string): string {
  return createHash('sha256')
    .update(JSON.stringify([host, port, user, name]))
    .digest('base64url')
    .slice(0, 16);
}

/**
 * Finds new mails: those that match and come after the last one found, and those that an earlier poll found but did not
 * pass on, whether they still match or not. The oldest come first.
 */
export async function newMails(
  mailbox: Mailbox,
  key: string,
  known: KnownEvents,
  { conditions, tracksUids, firstDay }: MailQuery,
): Promise<NewMails> {
  const place = `${key}:${mailbox.uidValidity}`;
  const lastUid = uidIn(known.state, place);
  const since: readonly MailCondition[] =
    tracksUids && lastUid === undefined && firstDay !== undefined
      ? [{ kind: 'date', field: 'since', day: firstDay }]
      : [];
  const from = tracksUids ? (lastUid ?? 0) + 1 : 1;
  const matches = await mailbox.search([...conditions, ...since], from);
  const again = uidsIn(known.redo, place);
  const candidates = [...new Set([...again, ...matches])].sort((a, b) => a - b).slice(0, MAX_MAILS);
  const mails = fitting(candidates, await mailbox.sizes(candidates));
  // Mails from before the first day never count.
  const before = since.length > 0 && mails.length === candidates.length ? mailbox.uidNext - 1 : 0;
  const seen = mails.reduce((most, { uid }) => Math.max(most, uid), Math.max(lastUid ?? 0, before));
  return { mails, next: { place, lastUid: seen } };
}

/** The data needed to find the mails again after they are marked as read. */
export function redoOf({ mails, next }: NewMails): JsonObject {
  return { place: next['place'] ?? '', uids: mails.map(({ uid }) => uid) };
}

/** At least one mail, and as many more as fit into one run. */
function fitting(uids: readonly number[], sizes: ReadonlyMap<number, number>): readonly FoundMail[] {
  const mails: FoundMail[] = [];
  let room = MAX_RUN_BYTES;
  for (const uid of uids) {
    const bytes = sizes.get(uid);
    if (bytes === undefined) continue;
    if (mails.length > 0 && bytes > room) break;
    room -= bytes;
    mails.push({ uid, bytes });
  }
  return mails;
}

function uidIn(state: Json | undefined, place: string): number | undefined {
  return isJsonObject(state) && state['place'] === place && typeof state['lastUid'] === 'number'
    ? state['lastUid']
    : undefined;
}

function uidsIn(redo: Json | undefined, place: string): readonly number[] {
  if (!isJsonObject(redo) || redo['place'] !== place || !Array.isArray(redo['uids'])) return [];
  return redo['uids'].filter((uid) => typeof uid === 'number');
}
