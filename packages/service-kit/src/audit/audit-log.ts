import { Schema, trusted, type Connection } from 'mongoose';
import { createBatcher } from '../batching';
import { currentContext } from '../context';
import { uuidv7 } from '../ids';
import { withStore } from '../mongo';
import { decodeCursor, encodeCursor, pageLimit } from '../paging';
import type { AuditEntry, AuditFilter, AuditLog, AuditRecord } from './audit-entry';

interface AuditDocument {
  _id: string;
  at: Date;
  /** Time and id: the sort key. */
  order: string;
  action: string;
  actor: string;
  about: Record<string, string>;
  /** The ids in `about`. */
  targets: string[];
  outcome: 'done' | 'refused';
  clientAddress: string;
  requestId: string;
  expireAt: Date;
}

const string = { type: String, required: true } as const;
const date = { type: Date, required: true } as const;

const auditSchema = new Schema<AuditDocument>(
  {
    _id: string,
    at: date,
    order: string,
    action: string,
    actor: string,
    about: { type: Schema.Types.Mixed, required: true },
    targets: [String],
    outcome: string,
    // Both may be empty, which mongoose does not accept for a required string.
    clientAddress: String,
    requestId: String,
    expireAt: date,
  },
  { collection: 'audit', versionKey: false, strict: 'throw', minimize: false },
);

/** Indexes of the collection `audit`. Records written by releases without `order` expire unlisted. */
export const AUDIT_INDEXES = [
  { key: { order: -1 }, name: 'order' },
  { key: { actor: 1, order: -1 }, name: 'actor' },
  { key: { action: 1, order: -1 }, name: 'action' },
  { key: { targets: 1, order: -1 }, name: 'targets' },
  { key: { expireAt: 1 }, name: 'expireAt', expireAfterSeconds: 0 },
] as const;

const DAY_MS = 86_400_000;
const MAX_TEXT = 200;

const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

const toDocument = (
  { id = uuidv7(), action, actor, about, outcome = 'done' }: AuditRecord,
  retentionDays: number,
): AuditDocument => {
  const at = new Date();
  const context = currentContext();
  const shown = Object.fromEntries(Object.entries(about).map(([name, text]) => [name, shortened(text)]));
  return {
    _id: id,
    at,
    order: `${at.toISOString()} ${id}`,
    action,
    actor,
    about: shown,
    targets: Object.entries(shown).flatMap(([name, text]) => (name.endsWith('Id') ? [text] : [])),
    outcome,
    clientAddress: shortened(context?.clientAddress ?? ''),
    requestId: context?.requestId ?? '',
    expireAt: new Date(at.getTime() + retentionDays * DAY_MS),
  };
};

const filtersOf = ({ actor, action, target, from, to }: AuditFilter): Readonly<Record<string, string>> => ({
  actor,
  action,
  target,
  from: from?.toISOString() ?? '',
  to: to?.toISOString() ?? '',
});

const EARLIEST = '';
/** Sorts after every ISO 8601 time. */
const LATEST = ':';

const min = (one: string, other: string): string => (one < other ? one : other);

/** Index for a list, by its most selective filter. Without fresh statistics the planner picks another and sorts. */
const indexOf = ({ actor, action, target }: AuditFilter): string => {
  if (target !== '') return 'targets';
  if (actor !== '') return 'actor';
  return action === '' ? 'order' : 'action';
};

/** Query for the page after `order`. */
export const auditQuery = (filter: AuditFilter, after: string | undefined) => ({
  collection: 'audit',
  hint: indexOf(filter),
  filter: {
    order: trusted({
      $gte: filter.from?.toISOString() ?? EARLIEST,
      $lt: min(filter.to?.toISOString() ?? LATEST, after ?? LATEST),
    }),
    ...(filter.actor === '' ? {} : { actor: filter.actor }),
    ...(filter.action === '' ? {} : { action: filter.action }),
    ...(filter.target === '' ? {} : { targets: filter.target }),
  },
  sort: { order: -1 } as const,
});

const toEntry = (
  { _id, at, order, action, actor, about, outcome, clientAddress, requestId }: AuditDocument,
  filters: Readonly<Record<string, string>>,
): AuditEntry => ({
  id: _id,
  at,
  action,
  actor,
  about,
  outcome,
  clientAddress,
  requestId,
  cursor: encodeCursor(order, filters),
});

/** Creates the audit log of a service. @param retentionDays days that a record is kept */
export const createAuditLog = (connection: Connection, retentionDays: number): AuditLog => {
  const model = connection.model('Audit', auditSchema);
  const write = createBatcher<AuditDocument, true>({
    maxBatch: 200,
    concurrency: 2,
    maxQueued: 5_000,
    flush: async (documents) => {
      await withStore(() =>
        model.bulkWrite(
          documents.map(({ _id, ...rest }) => ({
            updateOne: { filter: { _id }, update: { $setOnInsert: rest }, upsert: true },
          })),
          { ordered: false },
        ),
      );
      return documents.map(() => true);
    },
  });
  return {
    record: async (record) => {
      await write(toDocument(record, retentionDays));
    },
    list: async (filter, { limit, cursor }) => {
      const filters = filtersOf(filter);
      const size = pageLimit(limit);
      const { filter: query, sort, hint } = auditQuery(filter, decodeCursor(cursor, filters));
      const found = await withStore(() =>
        model
          .find(query)
          .sort(sort)
          .hint(hint)
          .limit(size + 1)
          .lean<AuditDocument[]>(),
      );
      const items = found.slice(0, size).map((document) => toEntry(document, filters));
      return { items, nextCursor: found.length > size ? (items.at(-1)?.cursor ?? '') : '' };
    },
  };
};
