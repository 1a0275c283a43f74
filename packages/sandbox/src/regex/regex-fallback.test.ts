import { closeAfterEach } from '@weft/service-kit/testing';
import { SandboxRegex } from './regex-fallback';

describe('regular expressions with potentially unbounded run time', () => {
  const later = closeAfterEach();
  const regex = new SandboxRegex();
  afterAll(() => regex.close());
  const find = (...search: Parameters<typeof regex.exec>) => regex.exec(...search).match;

  it('find the same as RegExp, from the given position', () => {
    expect(find('(?<=a)b', '', 'ab ab', 0)).toMatchObject({ index: 1, groups: ['b'] });
    expect(find('(?<=a)b', '', 'ab ab', 2)).toMatchObject({ index: 4 });
    expect(find('(?<=a)b', '', 'ab ab', 5)).toBeNull();
    expect(find('(?<d>\\d)\\k<d>', 'g', 'a122', 0)).toEqual({ index: 2, groups: ['22', '2'], named: { d: '2' } });
    expect(find('(x)|(B)', 'i', 'b', 0)).toMatchObject({ groups: ['b', undefined, 'b'] });
  });

  it('match only at that position with flag y', () => {
    expect(find('(?<=a)b', 'y', 'xxab', 3)).toMatchObject({ index: 3 });
    expect(find('(?<=a)b', 'y', 'xxab', 2)).toBeNull();
  });

  it('search a new text after the same one was searched twice', () => {
    const long = 'ab'.repeat(100_000);
    expect([0, 2, 4].map((from) => find('(?<=a)b', '', long, from)?.index)).toEqual([1, 3, 5]);
    expect(find('(?<=a)b', '', 'ab', 0)).toMatchObject({ index: 1 });
  });

  it('report their CPU time', () => {
    const begun = performance.now();
    const { workMs } = regex.exec('(?=x*y)z|x*q', '', 'x'.repeat(7_000), 0);
    expect(workMs).toBeGreaterThan(1);
    expect(workMs).toBeLessThan(performance.now() - begun);
  });

  it('are abandoned when they take too long, and the next one succeeds', () => {
    const begun = performance.now();
    expect(() => regex.exec('^(a+)+$', '', `${'a'.repeat(60)}!`, 0)).toThrow(
      expect.objectContaining({ type: 'budget' }),
    );
    expect(performance.now() - begun).toBeLessThan(3_000);
    expect(find('(?<=a)b', '', 'ab', 0)).toMatchObject({ index: 1 });
  });

  it('are not tried on strings that are too long', () => {
    expect(() => regex.exec('(?=a)', '', 'a'.repeat(5 * 1024 * 1024), 0)).toThrow('takes too long');
  });

  it('can be closed, and start again if they are needed after all', async () => {
    const other = later(new SandboxRegex(), (open) => open.close());
    expect(other.exec('(?=a)', '', 'a', 0)).toMatchObject({ match: { index: 0 } });
    await other.close();
    expect(other.exec('(?=a)', '', 'a', 0)).toMatchObject({ match: { index: 0 } });
  });
});
