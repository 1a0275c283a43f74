import { addDelta, type LiveText } from './live-text';

const part = (text: string, offset: number, number = 0, attempt = 0) => ({
  node: 'Agent',
  attempt,
  number,
  offset,
  text,
});
const textOf = (...parts: readonly unknown[]): string | undefined =>
  parts.reduce<LiveText | undefined>((before, one) => addDelta(before, one), undefined)?.text;

describe('addDelta', () => {
  it('joins the parts of a text', () => {
    expect(textOf(part('It ', 0), part('is ', 3), part('42.', 6))).toBe('It is 42.');
  });

  it('marks missing parts once, and continues after them', () => {
    expect(textOf(part('It ', 0), part('42', 6), part('.', 8))).toBe('It  … 42.');
    expect(textOf(part('42', 6), part('.', 8))).toBe('42.');
  });

  it('adds nothing twice', () => {
    expect(textOf(part('It is ', 0), part('is 42', 3))).toBe('It is 42');
    expect(textOf(part('It is ', 0), part('It ', 0))).toBe('It is ');
  });

  it('begins again with a later text or attempt, and leaves out parts of earlier ones', () => {
    expect(textOf(part('Let me see.', 0), part('It is 42.', 0, 1), part('late', 11))).toBe('It is 42.');
    expect(textOf(part('It is', 0, 1), part('It', 0, 0, 1), part(' was', 5, 1))).toBe('It');
  });

  it('keeps at most 256 KB, and leaves out what is not a part', () => {
    expect(textOf(part('x'.repeat(300_000), 0), part('y', 300_000))).toHaveLength(262_144);
    expect(textOf(part('It', 0), {}, null, 'text', { text: 5 })).toBe('It');
  });
});
