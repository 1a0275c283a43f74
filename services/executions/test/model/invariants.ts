import { strict as assert } from 'node:assert';
import {
  LIVE_STATES,
  STATUS_OF,
  TRANSITIONS,
  isEndState,
  type Transition,
} from '../../src/domain/state/execution-state';
import type { ExecutionRecord } from '../../src/domain/state/execution';
import { leaseGraceMs } from '../../src/domain/state/back-off';
import { MAX_DEATHS_ALONE } from '../../src/domain/state/lease-end';

/** The lease of all histories, in milliseconds. */
export const LEASE_MS = 30_000;

/** Record of a whole history. */
export interface Ledger {
  /** The claim of each fence. */
  readonly claims: Map<number, string>;
  lastClaim: string;
  /**
   * Deaths of its process without progress in which the execution was isolated alone: 1 for each that was reported, and
   * 1/2 if the whole runner died.
   */
  deathsAlone: number;
}

/** One command and its effect. */
export interface Step {
  readonly before: ExecutionRecord;
  readonly after: ExecutionRecord;
  readonly command: string;
  readonly outcome: string;
  /** Claims of the write of a runner: its fence, and the number of its checkpoint. */
  readonly claimed: { readonly fence?: number; readonly checkpoint?: number };
  readonly now: number;
  /** Time for which the sweeper has seen the lease unchanged, by a monotonic clock. */
  readonly watchedMs: number;
  /** The lease was renewed within this command. */
  readonly isRenewed: boolean;
  readonly ledger: Ledger;
}

const rows: readonly Transition[] = Object.values(TRANSITIONS);

const shown = ({ batchId, ...rest }: ExecutionRecord): string =>
  JSON.stringify([
    batchId === undefined ? undefined : '',
    Object.entries(rest).sort(([left], [right]) => left.localeCompare(right)),
  ]);

/** Fields of an ended execution that may still change: finished completion hooks, and the time at which it expires. */
const lasting = ({ postRunActions: _followUps, expireAt: _expireAt, ...rest }: ExecutionRecord): string =>
  shown({ ...rest, postRunActions: [] });

const isMove = (before: ExecutionRecord, after: ExecutionRecord): boolean =>
  before.state === after.state ||
  rows.some(({ from, to }) => to === after.state && from.some((state) => state === before.state));

const checkEnd = ({ before, after }: Step): void => {
  if (isEndState(before.state)) assert.equal(lasting(after), lasting(before), 'I1: an end state changed');
  if (isEndState(after.state) && !isEndState(before.state)) {
    assert.equal(after.fence, before.fence, 'I5: the end has another fence than the run');
    assert.ok(after.finishedAt !== undefined && after.expireAt !== undefined, 'an end has no time');
    const place = before.postRunActions.some(({ kind }) => kind === 'release-slot') ? ['release-slot'] : [];
    const expected =
      after.state === 'success' || after.state === 'cancelled'
        ? place
        : ['start-error-workflow', ...place, 'expire-record'];
    assert.equal(
      after.postRunActions
        .filter(({ due }) => due !== undefined)
        .map(({ kind }) => kind)
        .join(),
      expected.join(),
      'an end armed the wrong follow-ups',
    );
  }
};

const checkCounters = ({ before, after, ledger }: Step): void => {
  assert.ok(after.fence >= before.fence && after.generation >= before.generation, 'I2: fence or generation fell');
  assert.ok(after.fence - before.fence <= 1, 'I2: a fence was left out');
  if (after.state === 'crashed' && before.state !== 'crashed' && after.crashPolicy !== 'fail')
    assert.ok(
      ledger.deathsAlone >= MAX_DEATHS_ALONE && before.lease?.alone === true && before.actedFence === before.fence,
      `given up although others may have killed its runner, or none died: ${ledger.deathsAlone} deaths alone`,
    );
  if (after.crashes > before.crashes)
    assert.ok(before.actedFence === before.fence, 'a claim that never acted cost a crash');
  if (after.crashPolicy !== 'restart')
    assert.ok(after.checkpoint >= before.checkpoint && after.nodeRunCount >= before.nodeRunCount, 'progress was lost');
  if (after.state === 'waiting') ledger.deathsAlone = 0;
  const numbered = ({ nodeRunCount, lostNodeRuns = 0 }: Step['after']): number => nodeRunCount + lostNodeRuns;
  assert.ok(numbered(after) >= numbered(before), 'sequence numbers of events would be used again');
  if (after.state !== 'running' || after.claimId === undefined) return;
  const holder = ledger.claims.get(after.fence);
  assert.ok(holder === undefined || holder === after.claimId, 'I2: one fence was given to two claims');
  ledger.claims.set(after.fence, after.claimId);
};

const checkShape = ({ after }: Step): void => {
  assert.equal(after.status, STATUS_OF[after.state], 'state and status differ');
  assert.equal(
    after.state === 'running',
    after.lease !== undefined && after.claimId !== undefined,
    'I3: running without a lease, or a lease without a run',
  );
  assert.equal(
    after.state === 'waiting',
    after.wait !== undefined,
    'I3: waiting without a wait, or a wait in another state',
  );
  assert.equal(
    after.state === 'queued' && after.waitsForSlotId === undefined,
    after.publishAt !== undefined,
    'I7: queued and never published, or published without need',
  );
  assert.equal(
    after.nodeRunCount,
    [...(after.log ?? []), ...after.manifest].reduce((sum, { count }) => sum + count, 0),
    'the manifest does not fit its count',
  );
  if (isEndState(after.state)) assert.equal(after.deadlineAt, undefined, 'an ended execution has a deadline');
  assert.ok(LIVE_STATES.some((state) => state === after.state) || isEndState(after.state), 'I11: an unknown state');
};

/** Only the holder writes, each checkpoint once, and nothing is taken from a holder within its lease. */
const checkHold = ({ before, after, command, outcome, claimed, now, watchedMs, isRenewed }: Step): void => {
  if (outcome === 'applied' && claimed.fence !== undefined)
    assert.equal(claimed.fence, before.fence, 'a write of an old or invented fence was accepted');
  if (outcome === 'applied' && claimed.checkpoint !== undefined)
    assert.equal(claimed.checkpoint, before.checkpoint + 1, 'a checkpoint was stored twice, or left out');
  if (command !== 'sweep' || before.state !== 'running' || after.state === 'running') return;
  const isOver = !isRenewed && watchedMs >= LEASE_MS + leaseGraceMs(LEASE_MS);
  const isLate = before.deadlineAt !== undefined && before.deadlineAt.getTime() < now;
  assert.ok(isOver || isLate, 'a run was taken from a runner whose lease holds');
};

/**
 * Checks the invariants of the execution protocol after one command.
 * @throws AssertionError that describes the violation
 */
export const checkStep = (step: Step): void => {
  const { before, after, outcome } = step;
  assert.ok(isMove(before, after), `the table has no way from ${before.state} to ${after.state}`);
  if (outcome === 'fenced' || outcome === 'duplicate' || outcome === 'blocked')
    assert.equal(shown(after), shown(before), `a write that was ${outcome} changed something`);
  if (after.state === 'queued' && before.state !== 'queued')
    assert.ok(after.generation > before.generation, 'I7: back in the queue without a new generation');
  checkHold(step);
  checkEnd(step);
  checkCounters(step);
  checkShape(step);
};
