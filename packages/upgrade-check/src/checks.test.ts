import type { Reply } from '@weft/chaos/crowd';
import type { Wanted } from '@weft/chaos/start-run';
import type { ExecutionRow } from '@weft/chaos/store';
import { findProblems, lostStarts, outcomesOf, scheduleFaults, type Evidence } from './checks';
import { LOAD_KINDS, LONG_CALLERS } from './kinds';

const answer = (status: number, text = '{}'): Reply => ({
  kind: 'answer',
  status,
  text,
  retryAfter: undefined,
  sentAt: 0,
  doneAt: 0,
});
const CUT: Reply = { kind: 'broken', what: 'ECONNRESET', sentAt: 0, doneAt: 0 };

const [kind] = LOAD_KINDS.filter(({ effects }) => effects === 0);
const fail = (): never => {
  throw new Error('There is no such kind.');
};
const startWith = (...replies: readonly Reply[]): Wanted => {
  const last = replies.at(-1);
  const accepted = last?.kind === 'answer' && last.status < 300 ? { accepted: last } : {};
  return { kind: kind ?? fail(), index: 0, key: 'key', replies: [...replies], ids: new Set(), ...accepted };
};
const row = (state: string): ExecutionRow => ({
  _id: 'id',
  workflowId: 'w',
  versionId: 'v',
  state,
  status: state,
  fence: 1,
  generation: 0,
  crashes: 0,
  idempotencyKey: 'user:key',
  createdAt: new Date(0),
});
const evidence = (wanted: Wanted, ...rows: readonly ExecutionRow[]): Evidence => ({
  wanted: [wanted],
  asked: [],
  rows,
  sink: { calls: new Map(), ticks: new Map() },
});

describe('an upgrade', () => {
  it('has no problem if a cut connection was followed by a success', () => {
    expect(findProblems(evidence(startWith(CUT, answer(200)), row('success')), 3_000)).toEqual([]);
  });

  it.each([
    ['is not stored', []],
    ['failed', [row('error')]],
    ['never ended', [row('running')]],
  ])('has lost a start that was accepted and %s', (_, rows) => {
    expect(lostStarts(evidence(startWith(answer(200)), ...rows))).toHaveLength(1);
  });

  it.each([429, 500, 503])(
    'has refused a start that was answered with %i, even if the next try succeeded',
    (status) => {
      const found = findProblems(evidence(startWith(answer(status, 'no'), answer(200)), row('success')), 3_000);
      expect(found).toEqual([expect.stringContaining(`refused: start key: ${status} no`)]);
    },
  );

  it('has not refused a caller that waits for long and is told to ask for its run', () => {
    const late = answer(503, '{"error":{"details":{"executionId":"id"}}}');
    const results = ['plain', ...LONG_CALLERS].map((name) => {
      const wanted = {
        ...startWith(late, CUT, answer(200)),
        kind: LOAD_KINDS.find((one) => one.name === name) ?? fail(),
      };
      return outcomesOf({ wanted: [wanted], asked: [] }).map(({ result }) => result);
    });
    expect(results).toEqual([
      ['refused', 'cut', 'answered'],
      ['late', 'cut', 'answered'],
      ['late', 'cut', 'answered'],
    ]);
  });

  it('has refused a request of the API whose answer is not the expected one', () => {
    const asked = [{ what: 'GET /users', replies: [answer(500)], refusal: 'GET /users: 500' }];
    const found = findProblems({ ...evidence(startWith(answer(200)), row('success')), asked }, 3_000);
    expect(found).toEqual(['refused: GET /users: 500']);
  });
});

describe('a schedule', () => {
  const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();
  const tick = (seconds: number, ...keys: string[]) => [at(seconds), new Set(keys)] as const;

  it('has no fault if each due time has one run', () => {
    expect(scheduleFaults(new Map([tick(6, 'c'), tick(0, 'a'), tick(3, 'b')]), 3_000)).toEqual([]);
  });

  it('must not run a due time twice, or leave one out', () => {
    expect(scheduleFaults(new Map([tick(0, 'a', 'b'), tick(6, 'c')]), 3_000)).toEqual([
      `2 runs of the due time ${at(0)}`,
      `no run between ${at(0)} and ${at(6)}`,
    ]);
  });
});
