import { createTakeMine, TAKEOVER_MS } from './take-mine';

interface Row {
  readonly id: string;
  readonly due: Date;
}

describe('due work taken by a replica', () => {
  let now = 0;
  const takeMine = createTakeMine<Row>({
    share: { count: () => 2, isMine: (id) => id.startsWith('mine') },
    idOf: ({ id }) => id,
    dueOf: ({ due }) => due,
    elapsed: () => now,
  });
  const row = (id: string, due = 0): Row => ({ id, due: new Date(due) });
  const idsOf = (rows: readonly Row[]): string[] => rows.map(({ id }) => id);

  it('is its own share immediately, and overdue work of other replicas', () => {
    expect(idsOf(takeMine([row('mine-1'), row('other-1')]))).toEqual(['mine-1']);
    now += TAKEOVER_MS - 1;
    expect(takeMine([row('other-1')])).toEqual([]);
    now += 1;
    expect(idsOf(takeMine([row('other-1'), row('other-2')]))).toEqual(['other-1']);
  });

  it('excludes recurring work that another replica does each time', () => {
    for (let turn = 0; turn < 100; turn += 1) {
      now += 1_000;
      expect(takeMine([row('other-3', turn)])).toEqual([]);
    }
  });
});
