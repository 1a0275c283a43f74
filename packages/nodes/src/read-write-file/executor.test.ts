import { memoryFileArea, memoryFiles } from '@weft/engine/testing';
import { type KindRun, runKind } from '../testing/cases/run-kind';

/** A workflow whose files and run outlast one node. */
const createArea = () => {
  const [fileArea, files] = [memoryFileArea(), memoryFiles()];
  const contentOf = async (path: string): Promise<string | undefined> => {
    const bytes = await fileArea.read(path);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  };
  const write = async (content: string, run: KindRun = {}, kind = 'readWriteFile') => {
    const data = await files.store(Buffer.from(content), { mimeType: 'text/plain', fileName: 'in' });
    return runKind(kind, {
      fileArea,
      files,
      binary: { data },
      ...run,
      parameters: { operation: 'write', fileName: 'x', ...run.parameters },
    });
  };
  return { fileArea, files, write, contentOf };
};

describe.each(['readWriteFile', 'writeBinaryFile'])('%s', (kind) => {
  it.each(['/data/x.csv', './data/x.csv', 'data//x.csv', 'data\\x.csv', '/data/./x.csv'])(
    'writes %s to data/x.csv',
    async (fileName) => {
      const { write, contentOf } = createArea();
      await write('1', { parameters: { fileName } }, kind);
      expect(await contentOf('data/x.csv')).toBe('1');
    },
  );

  it('replaces a file, or appends to it', async () => {
    const { write, contentOf } = createArea();
    await write('1', { executionId: 'e1' }, kind);
    await write('2', { executionId: 'e2' }, kind);
    await write('3', { executionId: 'e3', parameters: { options: { append: true } } }, kind);
    expect(await contentOf('x')).toBe('23');
  });

  it('appends the file of every item, and only once when a node run is repeated', async () => {
    const { write, contentOf } = createArea();
    const run = { items: [{}, {}], parameters: { options: { append: true } } };
    await write('a', run, kind);
    await write('a', run, kind);
    expect(await contentOf('x')).toBe('aa');
  });
});

describe('a file of the workflow', () => {
  it('is read as the run wrote it before', async () => {
    const { write, fileArea, files } = createArea();
    await write('hello', { parameters: { fileName: '/x.txt' } });
    const { items } = await runKind('readWriteFile', { fileArea, files, parameters: { fileSelector: 'x.*' } });
    const file = items[0]?.[0]?.binary?.['data'];
    expect(file).toMatchObject({ fileName: 'x.txt', mimeType: 'text/plain', fileSize: '5 B', bytes: 5 });
    expect(file && Buffer.from(await files.read(file)).toString()).toBe('hello');
  });
});
