import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '..', '..', '..', '..');
const guide = readFileSync(join(root, 'docs', 'guides', 'add-a-node-kind.md'), 'utf8');

/** Code blocks of the guide by file: whole files, or a line to append to an existing one. */
const files = new Map(
  [...guide.matchAll(/`([\w./-]+\.ts)`[^`]*```ts\n(.*?)```/gs)].map(([, path = '', code = '']): [string, string] => {
    const place = join(root, path);
    return [place, existsSync(place) ? `${readFileSync(place, 'utf8')}${code}` : code];
  }),
);

const folders = new Set([...files.keys()].map((path) => dirname(path)));

describe('docs/guides/add-a-node-kind.md', () => {
  it('shows the three files of a folder and two lines', () => {
    expect([...files.keys()].map((path) => path.slice(root.length + 1))).toEqual([
      'packages/nodes/src/reverse/descriptor.ts',
      'packages/nodes/src/descriptors/all.ts',
      'packages/nodes/src/reverse/executor.ts',
      'packages/nodes/src/executors/all.ts',
      'packages/nodes/src/reverse/cases.ts',
    ]);
  });

  it('shows code that compiles in the files it names', () => {
    const { config } = ts.readConfigFile(join(root, 'packages/nodes/tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(root, 'packages/nodes'));
    const settings: ts.CompilerOptions = {
      ...options,
      noEmit: true,
      composite: false,
      incremental: false,
      skipLibCheck: true,
      rootDir: root,
    };
    const host = ts.createCompilerHost(settings);
    const { fileExists, readFile, getSourceFile } = host;
    host.directoryExists = (path) => folders.has(path) || existsSync(path);
    host.fileExists = (path) => files.has(path) || fileExists(path);
    host.readFile = (path) => files.get(path) ?? readFile(path);
    host.getSourceFile = (path, target, ...more) => {
      const code = files.get(path);
      return code === undefined ? getSourceFile(path, target, ...more) : ts.createSourceFile(path, code, target);
    };
    const program = ts.createProgram([...files.keys()], settings, host);
    const faults = [...files.keys()].flatMap((path) => ts.getPreEmitDiagnostics(program, program.getSourceFile(path)));
    expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });
});
