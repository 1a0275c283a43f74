import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '..', '..', '..', '..');
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');
const [, tour = ''] = /## Five minutes\n(.*?)\n## /s.exec(textOf('README.md')) ?? [];

/** The commands of a text that need only curl and jq. The text sets BASE and KEY for its readers; the test, its own. */
const commandsOf = (text: string): string =>
  [...text.matchAll(/```sh\n(.*?)```/gs)]
    .map(([, block = '']) => block)
    .filter((block) => block.includes('$BASE'))
    .join('\n');

const HAS_JQ = spawnSync('jq', ['--version']).status === 0;

(HAS_JQ ? describe : describe.skip)('the commands for new users', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-readme-'));
  let stack: Stack;
  beforeAll(async () => {
    stack = await borrowStack();
  });
  afterAll(async () => {
    await giveStackBack(stack);
    rmSync(folder, { recursive: true, force: true });
  });

  const run = async (commands: string): Promise<string> => {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: folder,
      env: { ...process.env, BASE: stack.baseUrls[0] ?? '', KEY: stack.apiKey },
    });
    return stdout;
  };

  it('store a workflow, call it, show its run and start it over REST: README.md', async () => {
    const output = await run(commandsOf(tour));
    expect(output).toContain('"name":"orders"');
    expect(output).toContain('{"total":42}');
    expect(output).toContain('"status":"success"');
    expect(output).toMatch(/"executionId":"[^"]+"[^}]*\}\}?$/);
  });

  it('see a run fail, fix its workflow and continue the run: docs/tutorial.md', async () => {
    const output = await run(commandsOf(textOf('docs/tutorial.md')));
    expect(output).toContain('{"approved":42}');
    expect(output).toContain('"reason": "NODE_ERROR"');
    expect(output).toMatch(/\["success","[^"]+",\{"approved":420\}\]/);
  });
});
