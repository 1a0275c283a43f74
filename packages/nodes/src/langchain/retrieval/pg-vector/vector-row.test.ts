import { rowOf } from './vector-row';

const document = (pageContent: string, metadata: Record<string, string | string[] | Record<string, string>>) => ({
  id: 'i',
  pageContent,
  metadata,
  vector: new Float32Array([1]),
});

describe('a row of PostgreSQL', () => {
  it('has text without NUL and halves of characters, also in metadata at any level', () => {
    const row = rowOf(document('a\u0000b\ud800', { 'k\u0000': 'x\u0000', list: ['\udfff'], inner: { one: '\u0000' } }));
    expect(row.content).toBe('ab\ufffd');
    expect(JSON.parse(row.metadata)).toEqual({ k: 'x', list: ['\ufffd'], inner: { one: '' } });
  });

  it('leaves text that looks like a NUL', () => {
    expect(JSON.parse(rowOf(document('', { path: 'C:\\u0000' })).metadata)).toEqual({ path: 'C:\\u0000' });
  });

  it('counts its metadata, so that large metadata makes small requests', () => {
    expect(rowOf(document('', { large: 'x'.repeat(1_000_000) })).length).toBeGreaterThan(1_000_000);
  });
});
