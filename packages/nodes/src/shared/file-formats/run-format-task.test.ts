import { zipSync } from 'fflate';
import { runFormatTask } from './run-format-task';

const signal = new AbortController().signal;
const sheet = { hasHeader: true, includeEmptyCells: true, raw: false, asText: false };

describe('work on files', () => {
  it('refuses a table that claims to be huge', async () => {
    const bytes = await runFormatTask(
      'writeSheet',
      { format: 'xlsx', rows: [{ a: 1 }], sheetName: 'S', hasHeader: true, compression: false },
      signal,
    );
    await expect(runFormatTask('readSheet', { ...sheet, bytes, range: 'A1:XFD1048576' }, signal)).rejects.toThrow(
      'more than 5000000 cells',
    );
  });

  it.each(['xlsx', 'xls', 'ods', 'html', 'rtf'] as const)(
    'reads a table without a filled cell, in %s, as no rows',
    async (format) => {
      const bytes = await runFormatTask(
        'writeSheet',
        { format, rows: [{}], sheetName: 'S', hasHeader: true, compression: false },
        signal,
      );
      expect(
        await runFormatTask(
          'readSheet',
          { ...sheet, includeEmptyCells: false, bytes, asText: format === 'html' },
          signal,
        ),
      ).toEqual([]);
    },
  );

  it('refuses a spreadsheet that unpacks to more than the limit', async () => {
    const bytes = zipSync({ 'xl/workbook.xml': new Uint8Array(129 * 1024 * 1024) });
    await expect(runFormatTask('readSheet', { ...sheet, bytes }, signal)).rejects.toThrow('128 MB');
  }, 30_000);

  it('ends when the run is stopped, and takes the next task then', async () => {
    const stop = new AbortController();
    const stopped = runFormatTask('zip', { files: [] }, stop.signal);
    stop.abort();
    await expect(stopped).rejects.toThrow('stopped');
    expect((await runFormatTask('zip', { files: [] }, signal)).length).toBeGreaterThan(0);
  });
});
