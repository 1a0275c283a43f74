import { zipSync } from 'fflate';
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '@weft/node-catalogue';
import { memoryFiles } from '@weft/engine/testing';
import { runKind, type KindRun } from '../testing/cases/run-kind';
import { zipOfZeros } from '../testing/files/zip-of-zeros';

const packed = async (bytes: Uint8Array, run: KindRun = {}) => {
  const files = memoryFiles();
  const data = await files.store(bytes, { mimeType: 'application/octet-stream', fileName: 'notes.txt.gz' });
  const result = await runKind('compression', { files, binary: { data }, items: [{ a: 1 }], ...run });
  const made = await Promise.all(
    Object.entries(result.items[0]?.[0]?.binary ?? {}).map(async ([name, reference]) => [
      name,
      reference.fileName,
      Buffer.from(await files.read(reference)).toString(),
    ]),
  );
  return { ...result, made };
};

describe('compression', () => {
  it.each([1, 1.1])('unpacks ZIP, without directories and the extra files of macOS (version %d)', async (version) => {
    const zip = zipSync({
      'a.txt': Buffer.from('one'),
      'dir/b.txt': Buffer.from('two'),
      '__MACOSX/a.txt': Buffer.from('no'),
      'dir/': new Uint8Array(),
    });
    const { made, outputs } = await packed(zip, { version });
    expect(made).toEqual([
      ['file_0', 'a.txt', 'one'],
      ['file_1', 'b.txt', 'two'],
    ]);
    expect(outputs[0]).toEqual([{ a: 1 }]);
  });

  it.each([1, 1.1])('unpacks gzip under the name without its extension (version %d)', async (version) => {
    expect((await packed(gzipSync('text'), { version, parameters: { outputPrefix: 'out' } })).made).toEqual([
      ['out0', 'notes.txt', 'text'],
    ]);
  });

  it.each([
    ['zip', 1, 'data', 'c.txt'],
    ['zip', 1.1, 'data', 'c.txt'],
    ['tar', 1, 'data', 'c.txt'],
    ['tar', 1.1, 'data', 'c.txt'],
    ['targz', 1, 'data', 'c.txt'],
    ['targz', 1.1, 'data', 'c.txt'],
    ['gzip', 1, 'data0', 'c'],
    ['gzip', 1.1, 'data', 'c.txt'],
  ])('packs files as %s that it can unpack (version %d)', async (outputFormat, version, property, name) => {
    const files = memoryFiles();
    const data = await files.store(Buffer.from('content'), { mimeType: 'text/plain', fileName: 'c.txt' });
    const { items } = await runKind('compression', {
      files,
      version,
      binary: { data },
      parameters: { operation: 'compress', outputFormat },
    });
    const made = items[0]?.[0]?.binary?.[property];
    if (made === undefined) throw new Error('There is no file.');
    const back = await runKind('compression', { files, version, binary: { data: made } });
    const file = back.items[0]?.[0]?.binary?.['file_0'];
    expect([file?.fileName, file === undefined ? '' : Buffer.from(await files.read(file)).toString()]).toEqual([
      name,
      'content',
    ]);
  });

  it.each<[number, JsonObject, Record<string, string>]>([
    [1, {}, { data0: 'c.gzip', data1: 'd.gzip' }],
    [1, { outputPrefix: 'p_' }, { p_0: 'c.gzip', p_1: 'd.gzip' }],
    [1.1, {}, { data: 'c.txt.gz', data1: 'd.png.gz' }],
    [1.1, { binaryPropertyOutput: 'o', fileName: 'all.gz' }, { o: 'all.txt.gz', o1: 'all.png.gz' }],
  ])('names gzip files in version %d with %j, and outputs nothing else', async (version, parameters, names) => {
    const files = memoryFiles();
    const store = (fileName: string, fileExtension: string) =>
      files.store(Buffer.from('x'), { mimeType: 'text/plain', fileName, fileExtension });
    const binary = {
      one: await store('c.2.txt', 'txt'),
      two: await store('d.png', 'png'),
      other: await store('e.txt', 'txt'),
    };
    const { items } = await runKind('compression', {
      files,
      version,
      binary,
      parameters: { operation: 'compress', outputFormat: 'gzip', binaryPropertyName: 'one, two', ...parameters },
    });
    const made = Object.entries(items[0]?.[0]?.binary ?? {}).map(([property, file]) => [property, file.fileName]);
    expect(Object.fromEntries(made)).toEqual(names);
  });

  it.each([
    ['tar', '', 'data.tar', 'application/x-tar'],
    ['targz', '', 'data.tar.gz', 'application/gzip'],
    ['targz', 'all.tgz', 'all.tgz', 'application/gzip'],
  ])('puts several files into one archive (%s, named "%s")', async (outputFormat, fileName, name, mimeType) => {
    const files = memoryFiles();
    const store = (file: string) => files.store(Buffer.from(file), { mimeType: 'text/plain', fileName: file });
    const binary = { one: await store('a.txt'), two: await store('b.txt') };
    const parameters = { operation: 'compress', outputFormat, fileName, binaryPropertyName: 'one, two' };
    const { items } = await runKind('compression', { files, binary, parameters });
    const made = items[0]?.[0]?.binary ?? {};
    expect(Object.keys(made)).toEqual(['data']);
    expect(made['data']).toMatchObject({ fileName: name, mimeType });
    const back = await runKind('compression', { files, binary: made });
    const names = Object.entries(back.items[0]?.[0]?.binary ?? {}).map(([field, file]) => [field, file.fileName]);
    expect(names).toEqual([
      ['file_0', 'a.txt'],
      ['file_1', 'b.txt'],
    ]);
  });

  it('rejects an archive that unpacks to more than the limit', async () => {
    const bytes = 129 * 1024 * 1024;
    expect((await packed(gzipSync(new Uint8Array(bytes), { level: 1 }))).error?.message).toContain('more than 128 MB');
    expect((await packed(zipOfZeros(['a.bin'], bytes))).error?.message).toContain('more than 128 MB');
  });

  it('reports a file that is not an archive', async () => {
    expect((await packed(Buffer.from('plain'))).error?.message).toContain('neither ZIP nor TAR nor gzip');
    expect((await packed(gzipSync('cut').subarray(0, 12))).error?.message).toContain('cannot be unpacked');
    expect((await packed(Buffer.from('PK broken'))).error).toBeDefined();
  });
});
