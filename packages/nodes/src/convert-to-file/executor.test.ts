import type { Json, JsonObject } from '@weft/node-catalogue';
import { memoryFiles } from '@weft/engine/testing';
import { type KindRun, runKind } from '../testing/cases/run-kind';

const convert = async (run: KindRun) => {
  const files = memoryFiles();
  const { items, error } = await runKind('convertToFile', { ...run, files });
  if (error !== undefined) throw new Error(error.message);
  return Promise.all(
    (items[0] ?? []).map(async ({ json, binary, pairedItem }) => {
      const reference = binary?.['data'];
      if (reference === undefined) throw new Error('There is no file.');
      return { json, pairedItem, reference, text: Buffer.from(await files.read(reference)).toString() };
    }),
  );
};

describe('convertToFile', () => {
  it.each([1, 1.1])('writes all items into one CSV, nested fields as columns (version %d)', async (version) => {
    const [file, ...more] = await convert({
      version,
      items: [
        { a: 1, b: { c: 'x, y' } },
        { a: 2, b: { c: 'z' } },
      ],
    });
    expect(more).toEqual([]);
    expect(file).toMatchObject({
      json: {},
      pairedItem: [{ item: 0 }, { item: 1 }],
      reference: { fileName: 'File.csv', fileExtension: 'csv', mimeType: 'text/csv' },
    });
    expect(file?.text).toBe('\uFEFFa,b.c\n1,"x, y"\n2,z');
  });

  it('uses another delimiter and omits the header row', async () => {
    const [file] = await convert({
      items: [{ a: 1, b: 2 }],
      parameters: { options: { delimiter: '|', headerRow: false, fileName: 'rows.csv' } },
    });
    expect([file?.text, file?.reference.fileName]).toEqual(['\uFEFF1|2', 'rows.csv']);
  });

  it('writes JSON: one array of all items, or a file for each', async () => {
    const items = [{ a: 1 }, { a: 2 }];
    expect((await convert({ items, parameters: { operation: 'toJson' } })).map(({ text }) => text)).toEqual([
      '[{"a":1},{"a":2}]',
    ]);
    const each = await convert({ items, parameters: { operation: 'toJson', mode: 'each', options: { format: true } } });
    expect(each.map(({ text, pairedItem, reference }) => [text, pairedItem, reference.fileName])).toEqual([
      ['{\n  "a": 1\n}', { item: 0 }, 'file.json'],
      ['{\n  "a": 2\n}', { item: 1 }, 'file.json'],
    ]);
  });

  it('writes text and decoded base64', async () => {
    expect(
      await convert({ items: [{ t: 'Grüße' }], parameters: { operation: 'toText', sourceProperty: 't' } }),
    ).toMatchObject([{ text: 'Grüße', reference: { fileName: 'file.txt', mimeType: 'text/plain' } }]);
    expect(
      await convert({
        items: [{ t: 'aGk=' }],
        version: 1.1,
        parameters: { operation: 'toBinary', sourceProperty: 't', options: { fileName: 'a.png' } },
      }),
    ).toMatchObject([
      { text: 'hi', reference: { mimeType: 'image/png', fileExtension: 'png', fileType: 'image', fileSize: '2 B' } },
    ]);
    expect(
      await convert({
        items: [{ t: 'aGk=' }],
        version: 1,
        parameters: { operation: 'toBinary', sourceProperty: 't', options: { dataIsBase64: false } },
      }),
    ).toMatchObject([{ text: 'aGk=' }]);
  });

  it.each<[Json, string, string]>([
    [{ b: 1 }, '{"b":1}', 'application/json'],
    [null, 'null', 'application/json'],
    [5, '5', 'text/plain'],
    ['', '', 'text/plain'],
  ])('writes %j as a text file', async (a, text, mimeType) => {
    expect(await convert({ items: [{ a }], parameters: { operation: 'toText', sourceProperty: 'a' } })).toMatchObject([
      { text, reference: { fileName: 'file.txt', mimeType } },
    ]);
  });

  it.each<[JsonObject, string, string]>([
    [{}, 'file', 'text/plain'],
    [{ mimeType: 'image/png' }, 'file.png', 'image/png'],
    [{ fileName: 'a.csv' }, 'a.csv', 'text/csv'],
  ])('names the file of a plain string with %j', async (options, fileName, mimeType) => {
    const parameters = { operation: 'toBinary', sourceProperty: 'a', options: { dataIsBase64: false, ...options } };
    expect(await convert({ items: [{ a: 'x' }], version: 1, parameters })).toMatchObject([
      { text: 'x', reference: { fileName, mimeType } },
    ]);
  });

  it('rejects base64 that is not a string', async () => {
    await expect(
      convert({ items: [{ a: 5 }], version: 1.1, parameters: { operation: 'toBinary', sourceProperty: 'a' } }),
    ).rejects.toThrow('not a base64 string');
  });

  it('writes a calendar event', async () => {
    const parameters = {
      operation: 'iCal',
      title: 'Launch',
      start: '2024-01-03T10:00:00',
      end: '2024-01-03T11:00:00',
      additionalFields: { description: 'a, b' },
    };
    const [file] = await convert({ parameters, timezone: 'Europe/Berlin' });
    expect(file?.reference).toMatchObject({ fileName: 'event.ics', mimeType: 'text/calendar' });
    expect(file?.text).toContain('SUMMARY:Launch');
    expect(file?.text).toContain('DTSTART:20240103T090000Z');
  });

  it('reports the missing field and the existing ones', async () => {
    const { error } = await runKind('convertToFile', {
      items: [{ here: 1 }],
      parameters: { operation: 'toText', sourceProperty: 'gone' },
    });
    expect(error).toMatchObject({
      message: 'The value in "gone" is not set',
      description: 'The item has these fields: here.',
    });
  });

  it('continues with an error item if configured', async () => {
    const { outputs } = await runKind('convertToFile', {
      items: [{ t: 'a' }, {}],
      parameters: { operation: 'toText', sourceProperty: 't' },
      node: { onError: 'continueRegularOutput' },
    });
    expect(outputs[0]).toEqual([{}, { error: 'The value in "t" is not set' }]);
  });
});
