import { createRunnerSigns } from './runner-signs';

describe('the signs that processes of runners have exited', () => {
  let now = 0;
  let checks = 0;
  const signs = createRunnerSigns(
    () => now,
    () => (checks += 1),
  );

  it('include every process of an earlier start of the runner, and none of this or a later one', () => {
    expect(signs.ended({ runnerId: 'a.2' })).toBe(true);
    expect(['a.1', 'a.1.child', 'a.2', 'a.2.child', 'a.3', 'b.1', 'uuid'].filter((id) => signs.endOf(id))).toEqual([
      'a.1',
      'a.1.child',
    ]);
    // A report that was delayed until after the next start.
    expect(signs.ended({ runnerId: 'a.1' })).toBe(true);
    expect([signs.endOf('a.1'), signs.endOf('a.2')]).toEqual([{ cause: 'superseded' }, undefined]);
    expect(checks).toBe(2);
  });

  it('include one process, with the execution that ended it', () => {
    expect(signs.ended({ runnerId: 'c.1', endedId: 'c.1.x', blamed: { executionId: 'e', node: 'n' } })).toBe(true);
    expect([signs.endOf('c.1.x'), signs.endOf('c.1'), signs.endOf('c.1.y')]).toEqual([
      { cause: 'reported', blamed: { executionId: 'e', node: 'n' } },
      undefined,
      undefined,
    ]);
  });

  it('include, for all processes before the latest start, the execution that ended them', () => {
    const blamed = { executionId: 'e', node: 'n' };
    signs.ended({ runnerId: 'g.2', blamed });
    // Every start reports once more when it has its port.
    signs.ended({ runnerId: 'g.2' });
    expect([signs.endOf('g.1'), signs.endOf('g.1.x')]).toEqual([
      { cause: 'superseded', blamed },
      { cause: 'superseded', blamed },
    ]);
    signs.ended({ runnerId: 'g.3' });
    expect([signs.endOf('g.1'), signs.endOf('g.2')]).toEqual([{ cause: 'superseded' }, { cause: 'superseded' }]);
  });

  it('are accepted only from a process of the same runner', () => {
    expect(signs.ended({ runnerId: 'd.1', endedId: 'e.1' })).toBe(false);
    expect(signs.ended({ runnerId: '0193c2a0-6f1e-7000-8000-000000000000' })).toBe(false);
    expect(signs.endOf('e.1')).toBeUndefined();
  });

  it('include a process without connections until it is seen alive', () => {
    now = 5;
    signs.disconnected('f.1');
    expect(signs.disconnectedAt('f.1')).toBe(5);
    signs.isAlive('f.1');
    expect(signs.disconnectedAt('f.1')).toBeUndefined();
  });
});
