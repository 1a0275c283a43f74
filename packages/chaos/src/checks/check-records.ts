import { type Evidence, createWasHit, isEnded, isHealthy, type Violation } from './evidence';
import type { ExecutionRow } from '../watch/store';

const STATUS_OF: Readonly<Record<string, string>> = {
  queued: 'running',
  running: 'running',
  waiting: 'waiting',
  success: 'success',
  error: 'error',
  crashed: 'error',
  cancelled: 'error',
};

/** The client's part of a dedupe key. */
const clientKey = ({ idempotencyKey = '' }: ExecutionRow): string | undefined =>
  idempotencyKey.startsWith('hook:') || idempotencyKey.startsWith('api:')
    ? idempotencyKey.slice(idempotencyKey.lastIndexOf(':') + 1)
    : undefined;

/** I6: accepted starts are stored once, under the returned id, and every stored run was requested. */
const checkAccepted = ({ rows, journal }: Evidence): Violation[] => {
  const stored = new Set(rows.map(({ _id }) => _id));
  const byKey = new Map<string, ExecutionRow[]>();
  for (const row of rows) {
    const key = clientKey(row);
    if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), row]);
  }
  const found: Violation[] = [];
  for (const entry of journal.entries) {
    const own = byKey.get(entry.key) ?? [];
    const say = (check: string, what: string): number =>
      found.push({
        check,
        executionId: own[0]?._id ?? [...entry.ids, ...entry.possibleIds][0] ?? '',
        what: `${entry.key}: ${what}`,
      });
    byKey.delete(entry.key);
    if (own.length > 1)
      say('I6 one record for a key', `${own.length} records: ${own.map(({ _id }) => _id).join(', ')}`);
    if (entry.acceptedAt !== undefined && own.length === 0)
      say('I6 what was accepted is stored', 'accepted, and there is no record');
    if (entry.acceptedAt === undefined && !entry.isProbe && !entry.start.isHostile)
      say('every start is accepted in the end', `not accepted in ${entry.attempts} attempts`);
    if (entry.ids.size > 1) say('I6 the same key gets the same id', `ids ${[...entry.ids].join(', ')}`);
    for (const id of entry.ids)
      if (own.length === 1 && own[0]?._id !== id)
        say('I6 the same key gets the same id', `told ${id}, stored ${own[0]?._id ?? ''}`);
    for (const id of entry.possibleIds)
      if (stored.has(id) && own[0]?._id !== id)
        say('I6 the same key gets the same id', `an error named ${id}, which exists, stored ${own[0]?._id ?? ''}`);
    for (const fault of entry.faults) say('answers are right', fault);
  }
  for (const [key, [row]] of byKey)
    found.push({
      check: 'I6 every stored run was requested',
      executionId: row?._id ?? '',
      what: `a record for the key ${key}`,
    });
  return found;
};

/** I9, I11: every record has ended, in a state of the table and with the matching status. */
const checkStates = ({ rows, kinds }: Evidence): Violation[] =>
  rows.flatMap((row) => {
    const who = kinds.get(row.workflowId)?.kind.name ?? 'unknown workflow';
    const found: Violation[] = [];
    if (!isEnded(row))
      found.push({
        check: 'I9 every run ends',
        executionId: row._id,
        what: `${who}: still ${row.state}, fence ${row.fence}, crashes ${row.crashes}`,
      });
    if (STATUS_OF[row.state] !== row.status)
      found.push({
        check: 'I11 a status for each state',
        executionId: row._id,
        what: `state ${row.state}, status ${row.status}`,
      });
    if (isEnded(row) && (row.lease !== undefined || row.claimId !== undefined))
      found.push({
        check: 'I3 only what runs has a lease',
        executionId: row._id,
        what: `${row.state} with a lease or a claim`,
      });
    return found;
  });

/** No run was charged for the fault of another. */
const checkCharges = (evidence: Evidence): Violation[] => {
  const wasHit = createWasHit(evidence);
  return evidence.rows.flatMap((row) => {
    const stored = evidence.kinds.get(row.workflowId)?.kind;
    const kind = stored?.name ?? 'unknown workflow';
    const why =
      `${kind}: ${row.state}, ${row.error?.reason ?? ''} ${row.error?.message.slice(0, 200) ?? ''} (fence ` +
      `${row.fence}, crashes ${row.crashes})`;
    const of = (check: string): Violation => ({ check, executionId: row._id, what: why });
    if (isHealthy(evidence, row)) {
      const found: Violation[] = [];
      if (row.state === 'crashed') found.push(of('no healthy run is given up'));
      else if (stored?.mustFail === true) {
        if (isEnded(row) && row.state !== 'error') found.push(of('a run whose node fails ends as an error'));
      } else if (isEnded(row) && row.state !== 'success') found.push(of('no healthy run fails'));
      if (row.crashes > 0 && !wasHit(row._id)) found.push(of('a crash counted only where the own runner died'));
      return found;
    }
    return row.state === 'crashed' && kind !== 'poison' && !wasHit(row._id)
      ? [of('a limit is an error, never a crash')]
      : [];
  });
};

/** All checks of the stored records against the journals of the clients. */
export const checkRecords = (evidence: Evidence): Violation[] => [
  ...checkAccepted(evidence),
  ...checkStates(evidence),
  ...checkCharges(evidence),
];
