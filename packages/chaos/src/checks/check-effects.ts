import type { SeenClaim } from '../watch/sampler';
import { createWasHit, isHealthy, type Evidence, type Violation } from './evidence';

/** Calls of the outside world. */
export interface EffectFigures {
  readonly calls: number;
  /** Calls beyond the first of their key. */
  readonly duplicates: number;
  /** Of those, calls by healthy runs that were on no runner that was hit. */
  readonly unexcused: number;
}

const clockTime = (at: number): string => new Date(at).toISOString().slice(11, 23);

const shownClaim = ({ fence, runnerId, firstSeen, lastSeen }: SeenClaim): string =>
  `fence ${fence} of runner ${runnerId} from ${clockTime(firstSeen)} to ${clockTime(lastSeen)}`;

/**
 * I8: calls of the sink: at most one per claim, more than one only where a runner was hit, and none missing after a
 * success.
 */
export const checkEffects = (
  evidence: Evidence,
): { readonly violations: Violation[]; readonly figures: EffectFigures } => {
  const { rows, kinds, sink } = evidence;
  const wasHit = createWasHit(evidence);
  const byId = new Map(rows.map((row) => [row._id, row]));
  const keysOf = new Map<string, number>();
  const violations: Violation[] = [];
  let duplicates = 0;
  let unexcused = 0;
  for (const [key, times] of sink.calls) {
    const count = times.length;
    const id = key.split(':')[0] ?? '';
    const row = byId.get(id);
    keysOf.set(id, (keysOf.get(id) ?? 0) + 1);
    duplicates += count - 1;
    if (row === undefined) {
      violations.push({ check: 'I8 effects belong to a record', executionId: id, what: `a call with the key ${key}` });
      continue;
    }
    if (count > row.fence)
      violations.push({
        check: 'I8 effects of a node run <= claims',
        executionId: id,
        what: `${key}: ${count} calls, ${row.fence} claims`,
      });
    if (count === 1 || !isHealthy(evidence, row) || wasHit(id)) continue;
    unexcused += count - 1;
    violations.push({
      check: 'repeated effects only where the own runner was hit',
      executionId: id,
      what:
        `${key}: ${count} calls at ${times.map(clockTime).join(', ')}; ${row.fence} claims, crashes ${row.crashes}; ` +
        `seen: ${evidence.claimsOf(id).map(shownClaim).join(', ') || 'no claim'}`,
    });
  }
  for (const { _id, workflowId, state } of rows) {
    const kind = kinds.get(workflowId)?.kind;
    const found = keysOf.get(_id) ?? 0;
    if (state === 'success' && kind !== undefined && kind.name !== 'poison' && found < kind.effects) {
      violations.push({
        check: 'a success has done all that it says',
        executionId: _id,
        what: `${kind.name}: ${found} of ${kind.effects} calls came`,
      });
    }
  }
  return {
    violations,
    figures: { calls: [...sink.calls.values()].reduce((sum, times) => sum + times.length, 0), duplicates, unexcused },
  };
};

/** A due time of a schedule starts one execution, and the schedule still runs at the end. */
export const checkSchedules = ({ sink, kinds, rows }: Evidence, lastFaultAt: number): Violation[] => {
  const found: Violation[] = [];
  let youngest = 0;
  for (const [due, keys] of sink.ticks) {
    const ids = new Set([...keys].map((key) => key.split(':')[0]));
    if (ids.size > 1)
      found.push({
        check: 'one execution for a due time',
        executionId: [...ids][0] ?? '',
        what: `${due}: executions ${[...ids].join(', ')}`,
      });
    youngest = Math.max(youngest, Date.parse(due));
  }
  const dues = new Map<string, string[]>();
  for (const { _id, workflowId, idempotencyKey = '' } of rows) {
    if (kinds.get(workflowId)?.kind.start.by === 'schedule')
      dues.set(idempotencyKey, [...(dues.get(idempotencyKey) ?? []), _id]);
  }
  for (const [key, ids] of dues)
    if (ids.length > 1)
      found.push({
        check: 'one execution for a due time',
        executionId: ids[0] ?? '',
        what: `${key}: executions ${ids.join(', ')}`,
      });
  if (!(youngest > lastFaultAt))
    found.push({
      check: 'a schedule continues',
      executionId: '',
      what:
        `the last due time that was told is ${new Date(youngest).toISOString()}, the last fault ended ` +
        `${new Date(lastFaultAt).toISOString()}`,
    });
  return found;
};
