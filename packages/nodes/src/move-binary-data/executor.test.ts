import { memoryFiles } from '@weft/engine/testing';
import { runKind } from '../testing/cases/run-kind';

const toJson = async (version: number, content: string, parameters = {}) => {
  const files = memoryFiles();
  const data = await files.store(Buffer.from(content), { mimeType: 'application/json', fileName: 'in.json' });
  return runKind('moveBinaryData', { version, files, binary: { data }, items: [{ old: 1 }], parameters });
};
const toFile = async (version: number, parameters = {}) => {
  const files = memoryFiles();
  const { items } = await runKind('moveBinaryData', {
    version,
    files,
    items: [{ a: 1, b: 'x' }],
    parameters: { mode: 'jsonToBinary', ...parameters },
  });
  const item = items[0]?.[0];
  const reference = item?.binary?.['data'];
  return {
    json: item?.json,
    reference,
    text: reference === undefined ? undefined : Buffer.from(await files.read(reference)).toString(),
  };
};

describe('moveBinaryData', () => {
  it.each([1, 1.1])('reads a file into the whole item, or a field (version %d)', async (version) => {
    const { items } = await toJson(version, '{"a":1}');
    expect(items[0]).toEqual([{ json: { a: 1 }, pairedItem: { item: 0 } }]);
    expect((await toJson(version, '{"a":1}', { setAllData: false })).outputs[0]).toEqual([{ old: 1, data: '{"a":1}' }]);
    expect((await toJson(version, '{"a":1}', { setAllData: false, options: { jsonParse: true } })).outputs[0]).toEqual([
      { old: 1, data: { a: 1 } },
    ]);
    expect(
      (await toJson(version, 'hi', { setAllData: false, options: { keepAsBase64: true, keepSource: true } })).items[0],
    ).toMatchObject([{ json: { data: 'aGk=' }, binary: { data: {} } }]);
    expect((await toJson(version, 'hi', { setAllData: false, options: { encoding: 'base64' } })).outputs[0]).toEqual([
      { old: 1, data: 'aGk=' },
    ]);
  });

  it('leaves items without the file out', async () => {
    expect((await toJson(1, '{}', { sourceKey: 'other' })).outputs[0]).toEqual([]);
  });

  it.each([1, 1.1])('writes the whole item, or a field, into a file (version %d)', async (version) => {
    expect(await toFile(version)).toMatchObject({
      json: {},
      text: '{"a":1,"b":"x"}',
      reference: { mimeType: 'application/json', ...(version === 1 ? {} : { fileName: 'file.json' }) },
    });
    expect(
      await toFile(version, {
        convertAllData: false,
        sourceKey: 'b',
        options: { useRawData: true, fileName: 'b.txt' },
      }),
    ).toMatchObject({
      json: { a: 1 },
      text: 'x',
      reference: { mimeType: version === 1 ? 'application/json' : 'text/plain', fileName: 'b.txt' },
    });
  });

  it('reports a file that is not a JSON object', async () => {
    expect((await toJson(1, 'no')).error?.message).toBe('The file is not valid JSON');
    expect((await toJson(1, '1')).error?.message).toContain('not a JSON object or list');
    expect((await toJson(1, '[1]')).outputs[0]).toEqual([[1]]);
  });
});
