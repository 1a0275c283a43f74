import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../../..');
const PAGE = readFileSync(join(ROOT, 'docs/grpc.md'), 'utf8');

/** A section of the page: its commands, its program, and what the program prints. */
const sectionOf = (title: string, language: string) => {
  const [, section = ''] = new RegExp(`\n## ${title}\n([\\s\\S]*?)(?=\n## |$)`).exec(PAGE) ?? [];
  const fenced = (kind: string): string => new RegExp(`\`\`\`${kind}\n([\\s\\S]*?)\`\`\``).exec(section)?.[1] ?? '';
  const [, file = '', run = ''] =
    /Save this as `([^`]+)`, and run it with the API key in `KEY`: `([^`]+)`/.exec(section) ?? [];
  const printed = /It prints (.*)\.\s*$/m.exec(section)?.[1] ?? '';
  return {
    commands: fenced('sh'),
    program: fenced(language),
    file,
    run,
    lines: [...printed.matchAll(/`([^`]+)`/g)].map(([, line = '']) => line),
  };
};

const answers = (program: string, ...parameters: string[]): boolean =>
  spawnSync(program, parameters, { stdio: 'ignore' }).status === 0;

/** Both download packages. Machines without the language skip its sample. */
const HAS_PYTHON = answers('python3', '-m', 'venv', '--help');
const HAS_GO = answers('go', 'version') && (answers('protoc', '--version') || HAS_PYTHON);

describe('the samples of docs/grpc.md, in an empty folder', () => {
  let stack: Stack;
  let folder: string;
  beforeAll(async () => {
    stack = await borrowStack();
  });
  afterAll(() => giveStackBack(stack));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-grpc-sample-'));
  });
  afterEach(() => {
    // Go makes its module cache read-only.
    execFileSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true });
  });

  const portOf = (service: 'workflows' | 'executions'): string => stack.grpcTargets[service].replace('ipv4:', '');

  /** Runs the section as written, but for the ports of the stack. */
  const outputOf = ({ commands, program, file, run }: ReturnType<typeof sectionOf>, path: string): string => {
    const source = program
      .replaceAll('127.0.0.1:7001', portOf('workflows'))
      .replaceAll('127.0.0.1:7002', portOf('executions'));
    writeFileSync(join(folder, file), source);
    return execFileSync('sh', ['-euc', `${commands}\n${run}`], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: path, WEFT: ROOT, KEY: stack.apiKey },
    });
  };
  const PATH = process.env['PATH'] ?? '';

  (HAS_PYTHON ? it : it.skip)(
    'print in Python what the page says',
    () => {
      const section = sectionOf('Python', 'python');
      expect([section.file, section.lines.length]).toEqual(['example.py', 3]);
      expect(outputOf(section, PATH).trim().split('\n').slice(-3)).toEqual(section.lines);
    },
    600_000,
  );

  (HAS_GO ? it : it.skip)(
    'print in Go what the page says',
    () => {
      const section = sectionOf('Go', 'go');
      expect([section.file, section.lines.length]).toEqual(['main.go', 3]);
      let path = PATH;
      if (!answers('protoc', '--version')) {
        // The compiler in Python's package is the same program.
        const tools = join(folder, '.tools');
        mkdirSync(tools);
        execFileSync('python3', ['-m', 'venv', join(tools, 'venv')]);
        execFileSync(join(tools, 'venv/bin/pip'), ['install', '-q', 'grpcio-tools==1.76.0']);
        writeFileSync(join(tools, 'protoc'), `#!/bin/sh\nexec "${tools}/venv/bin/python" -m grpc_tools.protoc "$@"\n`);
        chmodSync(join(tools, 'protoc'), 0o755);
        path = `${tools}:${PATH}`;
      }
      expect(outputOf(section, path).trim().split('\n').slice(-3)).toEqual(section.lines);
    },
    900_000,
  );
});
