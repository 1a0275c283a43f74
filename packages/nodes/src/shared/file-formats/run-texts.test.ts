import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { bytesOf, type TaskAnswer, type TaskRunner } from '@weft/sandbox';
import { runKind } from '../../testing/cases/run-kind';
import { inProcessFormats } from '../../testing/files/in-process-formats';
import { openFormats } from './open-formats';
import { runTexts } from './run-texts';
import type { TextJob } from './tasks';

const { signal } = new AbortController();
const jobOf = (html: string): TextJob => ({ kind: 'htmlToMarkdown', input: { html, options: {} } });
/** A document that takes minutes to process. */
const BOMB = `<table>${'<tr><td>a'.repeat(2_000)}`;

/** Counts tasks. Tasks that contain `text` end with the given result. */
const stopping = (text: string, stop: TaskAnswer): TaskRunner & { tasks: number } => ({
  tasks: 0,
  async run(job) {
    this.tasks += 1;
    const bytes = Buffer.from((await bytesOf(job.input)) ?? []);
    return bytes.includes(text) ? stop : inProcessFormats.run(job);
  },
});

describe('the strings of items', () => {
  it('fail individually if one of them ends the process', async () => {
    const formats = openFormats({ memoryMb: 128, timeoutMs: 1_000 });
    const ports = { formats: formats.of('owner') };
    const outcomes = await runTexts({ signal, ports }, ['<b>a</b>', BOMB, '<i>c</i>'].map(jobOf), false);
    await formats.close();
    expect(outcomes).toEqual([{ value: '**a**' }, { error: expect.stringMatching(/took longer/) }, { value: '_c_' }]);
  });

  it('are sent together; those after a failure are not sent at all', async () => {
    const formats = stopping('never', { kind: 'stopped', reason: 'time' });
    const tooDeep = '<div>'.repeat(501);
    const jobs = [...Array(100).fill('x'), tooDeep, 'y'].map(jobOf);
    expect(await runTexts({ signal, ports: { formats } }, jobs, true)).toHaveLength(101);
    expect(formats.tasks).toBe(1);
    expect(await runTexts({ signal, ports: { formats } }, jobs, false)).toHaveLength(102);
  });

  it('fail the node if no process is available, even if it continues on failure', async () => {
    const formats = stopping('a', { kind: 'stopped', reason: 'busy' });
    const { error } = await runKind('markdown', {
      formats,
      items: [{}],
      parameters: { html: 'a' },
      node: { onError: 'continueRegularOutput' },
    });
    expect([error?.message, formats.tasks]).toEqual([expect.stringContaining('Try again later'), 1]);
  });

  it('turn into an error for the item that is to blame', async () => {
    const formats = stopping('hungry', { kind: 'stopped', reason: 'memory' });
    const { items } = await runKind('xml', {
      formats,
      items: [{ data: '<a>1</a>' }, { data: '<a>hungry</a>' }, {}, { data: '<a>4</a>' }],
      node: { onError: 'continueRegularOutput' },
    });
    expect(items[0]?.map(({ json }) => json)).toEqual([
      { a: '1' },
      { error: 'The text needs too much memory. Use a smaller one.' },
      { error: 'Item has no JSON property called "data"' },
      { a: '4' },
    ]);
  });
});

describe('the executors', () => {
  it('load no parser of untrusted data into the process that runs the node', () => {
    const script =
      `require(${JSON.stringify(join(__dirname, '..', '..', 'executors', 'index.js'))});` +
      'console.log(Object.keys(require.cache).join(" "))';
    const loaded = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    expect(loaded).toContain('mime-types');
    const parsers = [
      ...['@e965/xlsx', 'csv-parse', 'fflate', 'unpdf', 'ts-ics', 'cheerio', 'html-to-text', 'htmlparser2', 'parse5'],
      ...['showdown', 'node-html-markdown', 'xml2js', 'sax', 'fast-xml-parser', 'entities'],
    ];
    expect(parsers.filter((name) => loaded.includes(`/node_modules/${name}/`))).toEqual([]);
  });
});
