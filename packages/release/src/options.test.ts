import { PARTS, readOptions } from './options';

describe('options of a release', () => {
  it('are all parts of HEAD with servers', () => {
    expect(readOptions(['--out', '/tmp/release'])).toEqual({
      out: '/tmp/release',
      ref: 'HEAD',
      parts: PARTS,
      hasServers: true,
    });
  });

  it('name a commit, some parts, and no servers', () => {
    expect(readOptions(['--out', '/x', '--ref', 'v0.1.0', '--only', 'archive, notes', '--without-servers'])).toEqual({
      out: '/x',
      ref: 'v0.1.0',
      parts: ['archive', 'notes'],
      hasServers: false,
    });
  });

  it.each([
    [[], '--out is required.'],
    [['--out', '/x', '--only', 'archive,charts'], 'A release has no part "charts".'],
    [['--out', '/x', '--publish'], "Unknown option '--publish'"],
  ])('%j are refused with the usage', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
    expect(() => readOptions(args)).toThrow('Usage: npm run release -- --out DIR');
  });
});
