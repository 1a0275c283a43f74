import { readFileSync } from 'node:fs';
import { zipOfZeros } from '../../testing/files/zip-of-zeros';
import { openFormats } from './open-formats';
import { type FormatContext, runFormatTask } from './run-format-task';
import type { SheetFormat } from './tasks';

const sheet = { hasHeader: true, includeEmptyCells: true, raw: false, asText: false };

describe('format tasks', () => {
  const formats = openFormats({ memoryMb: 512 });
  const contextOf = (signal: AbortSignal): FormatContext => ({ signal, ports: { formats: formats.of('owner') } });
  const context = contextOf(new AbortController().signal);
  const written = (format: SheetFormat, row: { readonly a?: number }) =>
    runFormatTask(context, 'writeSheet', {
      format,
      rows: [row],
      sheetName: 'S',
      hasHeader: true,
      compression: false,
    });
  afterAll(() => formats.close());

  it('rejects a table that claims to be huge', async () => {
    const bytes = await written('xlsx', { a: 1 });
    await expect(runFormatTask(context, 'readSheet', { ...sheet, bytes, range: 'A1:XFD1048576' })).rejects.toThrow(
      'more than 5000000 cells',
    );
  });

  it.each(['xlsx', 'xls', 'ods', 'html', 'rtf'] as const)(
    'reads a table without a filled cell, in %s, as no rows',
    async (format) => {
      const bytes = await written(format, {});
      const asText = format !== 'rtf';
      expect(await runFormatTask(context, 'readSheet', { ...sheet, includeEmptyCells: false, bytes, asText })).toEqual(
        [],
      );
    },
  );

  it('rejects a spreadsheet that unpacks to more than the limit', async () => {
    const bytes = zipOfZeros(['xl/workbook.xml'], 129 * 1024 * 1024);
    await expect(runFormatTask(context, 'readSheet', { ...sheet, bytes })).rejects.toThrow('128 MB');
  });

  it('returns an archive of many files in parts, each file once', async () => {
    const bytes = zipOfZeros(['a', 'b', 'c', 'd', 'e'], 7 * 1024 * 1024);
    const first = await runFormatTask(context, 'unzip', { bytes, from: 0 });
    expect(first).toMatchObject({ files: [{ name: 'a' }, { name: 'b' }], next: 2 });
    const last = await runFormatTask(context, 'unzip', { bytes, from: 4 });
    expect([last.files.map(({ name }) => name), last.next]).toEqual([['e'], undefined]);
  });

  it('ends when the run is stopped, and accepts the next task', async () => {
    const stop = new AbortController();
    const stopped = runFormatTask(contextOf(stop.signal), 'zip', { files: [] });
    stop.abort();
    await expect(stopped).rejects.toThrow('stopped');
    expect((await runFormatTask(context, 'zip', { files: [] })).length).toBeGreaterThan(0);
  });

  it('runs in a sealed process without an environment', async () => {
    process.env['WEFT_TEST_SECRET'] = 'secret';
    await runFormatTask(context, 'zip', { files: [] });
    delete process.env['WEFT_TEST_SECRET'];
    const [id = 0] = formats.processIds;
    const status = readFileSync(`/proc/${id}/status`, 'utf8');
    expect(/^Seccomp:\t(\d)$/m.exec(status)?.[1]).toBe('2');
    expect(readFileSync(`/proc/${id}/limits`, 'utf8')).toMatch(/^Max data size +\d+ +\d+ +bytes/m);
  });
});
