import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { commandLine, type CommandLine } from '../support/command-line';

const page = readFileSync(join(__dirname, '..', '..', '..', '..', 'docs', 'tutorial-git.md'), 'utf8');

/** The commands after those that start Weft and install the command line. */
const [, , ...blocks] = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);

describe('docs/tutorial-git.md', () => {
  let stack: Stack;
  let cli: CommandLine;
  beforeAll(async () => {
    stack = await borrowStack();
    cli = commandLine(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    cli?.remove();
    await giveStackBack(stack);
  });

  it('works as it is written: applied from Git, alerted, repaired, retried, and changed elsewhere', async () => {
    const bin = join(cli.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'weft'), `#!/bin/sh\nexec '${process.execPath}' '${cli.program}' "$@"\n`);
    chmodSync(join(bin, 'weft'), 0o755);
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', blocks.join('\n')], {
      cwd: cli.folder,
      env: {
        PATH: `${bin}:${process.env['PATH'] ?? ''}`,
        HOME: cli.folder,
        BASE: stack.baseUrls[0] ?? '',
        WEFT_URL: stack.baseUrls[0] ?? '',
        WEFT_API_KEY: stack.apiKey,
      },
    });
    expect(stdout).toContain('{"item":"chair","left":3}');
    expect(stdout).toContain('{"message":"Error in workflow"}');
    expect(stdout).toMatch(/ALERT \{"text":"Stock failed: Cannot read properties of undefined/);
    expect(stdout).toContain('left: (stock[item] ?? 0) - quantity');
    expect(stdout).toMatch(/"mode": "retry",[^}]*"state": "success"/);
    expect(stdout).toContain('exit code 5');
  });
});
