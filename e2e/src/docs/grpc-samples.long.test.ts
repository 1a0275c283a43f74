import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeBlock, HAS_GO, HAS_PYTHON, pathWithProtoc, runScript, skipReason } from './sample-tools';

const ROOT = join(__dirname, '../../../..');
const PAGE = readFileSync(join(ROOT, 'docs/grpc.md'), 'utf8');

/** A section of the page: its commands, its program, and what the program prints. */
const sectionOf = (title: string, language: string) => {
  const [, section = ''] = new RegExp(`\n## ${title}\n([\\s\\S]*?)(?=\n## |$)`).exec(PAGE) ?? [];
  const [, file = '', run = ''] =
    /Save this as `([^`]+)`, and run it with the API key in `KEY`: `([^`]+)`/.exec(section) ?? [];
  const printed = /It prints (.*)\.\s*$/m.exec(section)?.[1] ?? '';
  return {
    commands: codeBlock(section, 'sh'),
    program: codeBlock(section, language),
    file,
    run,
    lines: [...printed.matchAll(/`([^`]+)`/g)].map(([, line = '']) => line),
  };
};

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
    return runScript(`${commands}\n${run}`, folder, { ...process.env, PATH: path, WEFT: ROOT, KEY: stack.apiKey });
  };
  const PATH = process.env['PATH'] ?? '';

  (HAS_PYTHON ? it : it.skip)(
    `print in Python what the page says${skipReason(HAS_PYTHON, 'python3 with venv')}`,
    () => {
      const section = sectionOf('Python', 'python');
      expect([section.file, section.lines.length]).toEqual(['example.py', 3]);
      expect(outputOf(section, PATH).trim().split('\n').slice(-3)).toEqual(section.lines);
    },
    600_000,
  );

  (HAS_GO ? it : it.skip)(
    `print in Go what the page says${skipReason(HAS_GO, 'go with protoc or python3')}`,
    () => {
      const section = sectionOf('Go', 'go');
      expect([section.file, section.lines.length]).toEqual(['main.go', 3]);
      const path = pathWithProtoc(join(folder, '.tools'));
      expect(outputOf(section, path).trim().split('\n').slice(-3)).toEqual(section.lines);
    },
    900_000,
  );
});
