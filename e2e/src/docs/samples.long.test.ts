import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeBlock, HAS_GO, HAS_PYTHON, pathWithProtoc, runScript, skipReason } from './sample-tools';

const ROOT = join(__dirname, '../../../..');

describe('the commands of a sample', () => {
  let stack: Stack;
  let folder: string;
  beforeAll(async () => {
    stack = await borrowStack();
  });
  afterAll(() => giveStackBack(stack));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-samples-'));
    symlinkSync(join(ROOT, 'proto'), join(folder, 'proto'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Copies the committed files of a sample and runs the commands of its page. @returns their last lines, the page's */
  const run = (name: string, path: string): readonly [printed: string, promised: string] => {
    const copy = join(folder, 'samples', name);
    const list = execFileSync('git', ['ls-files', '-z', `samples/${name}`], { cwd: ROOT, encoding: 'utf8' });
    for (const file of list.split('\0').filter((one) => one !== ''))
      cpSync(join(ROOT, file), join(folder, file), { recursive: true });
    const page = readFileSync(join(copy, 'README.md'), 'utf8');
    const printed = runScript(codeBlock(page, 'sh').replace('<API key>', stack.apiKey), copy, {
      ...process.env,
      PATH: path,
      WORKFLOWS: stack.grpcTargets.workflows.replace('ipv4:', ''),
      EXECUTIONS: stack.grpcTargets.executions.replace('ipv4:', ''),
    });
    const promised = codeBlock(page, 'text');
    // installers may print something before
    return [printed.slice(-promised.length), promised];
  };

  (HAS_PYTHON ? it : it.skip)(
    `in Python print what its page says${skipReason(HAS_PYTHON, 'python3 with venv')}`,
    () => {
      const [printed, promised] = run('python-grpc', process.env['PATH'] ?? '');
      expect(printed).toBe(promised);
    },
    600_000,
  );

  (HAS_GO ? it : it.skip)(
    `in Go print what its page says${skipReason(HAS_GO, 'go with protoc or python3')}`,
    () => {
      const [printed, promised] = run('go-grpc', pathWithProtoc(join(folder, '.tools')));
      expect(printed).toBe(promised);
    },
    900_000,
  );
});
