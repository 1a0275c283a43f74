import { FAILING_KINDS } from '../load/failing-kinds';
import type { ExecutionRow } from '../watch/store';
import { checkFailures } from './check-failures';
import type { StoredKind } from './evidence';

const kinds = new Map(
  FAILING_KINDS.map((kind): [string, StoredKind] => [`w-${kind.name}`, { kind, isHostile: false }]),
);

const row = (kind: string, state: string): ExecutionRow => ({
  _id: `run-of-${kind}`,
  workflowId: `w-${kind}`,
  versionId: 'v',
  state,
  status: state,
  fence: 1,
  generation: 1,
  crashes: 0,
  createdAt: new Date(),
});

interface Seen {
  readonly calls?: readonly string[];
  readonly failures?: Readonly<Record<string, readonly string[]>>;
}

const checksOf = (rows: readonly ExecutionRow[], { calls = [], failures = {} }: Seen): string[] =>
  checkFailures({
    rows,
    kinds,
    sink: {
      calls: new Map(calls.map((key) => [key, [0]])),
      ticks: new Map(),
      failures: new Map(Object.entries(failures).map(([id, keys]) => [id, new Set(keys)])),
    },
  }).map(({ check }) => check);

const ONCE = 'a failed run starts its error workflow once';

describe('the check of failures', () => {
  it('accepts one report of a failed run, repeated by the same run', () => {
    const seen = { failures: { 'run-of-refused': ['told-1:Tell:0:0', 'told-1:Tell:0:0'] } };
    expect(checksOf([row('refused', 'error')], seen)).toEqual([]);
  });

  it('notices a failed run without a report', () => {
    expect(checksOf([row('refused', 'error')], {})).toEqual([ONCE]);
  });

  it('notices two runs that report one failure', () => {
    const seen = { failures: { 'run-of-refused': ['told-1:Tell:0:0', 'told-2:Tell:0:0'] } };
    expect(checksOf([row('refused', 'error')], seen)).toEqual([ONCE]);
  });

  it('notices a reported failure of a run that is stored as a success', () => {
    const seen = { failures: { 'run-of-forgiven': ['told-1:Tell:0:0'] } };
    expect(checksOf([row('forgiven', 'success')], seen)).toEqual([ONCE]);
  });

  it('notices a node that ran after the failure', () => {
    expect(checksOf([], { calls: ['run-of-stopped:Before:0:0', 'run-of-stopped:Never:0:0'] })).toEqual([
      'no node runs after the failure that ends a run',
    ]);
  });
});
