import { startStack, type Stack } from '@weft/local-stack';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const shared = join(__dirname, '..', '..', '..', '..', '..', 'shared');
const tool = join(shared, 'tools', 'conformance.mjs');

/** Runs the conformance tool; its last line is `N passed, N failed`. */
const conformance = (stack: Stack, mode: string, cases: string): Promise<{ passed: number; failed: number; text: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tool, mode, '--base', stack.baseUrls[0] ?? '', '--key', stack.apiKey, '--cases', join(shared, 'corpus', cases)]);
    let text = '';
    child.stdout.on('data', (part: Buffer) => { text += part.toString('utf8'); });
    child.stderr.on('data', (part: Buffer) => { text += part.toString('utf8'); });
    child.once('error', reject);
    child.once('close', () => {
      const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(text) ?? [];
      resolve({ passed: Number(passed ?? 0), failed: Number(failed ?? Number.NaN), text });
    });
  });

// The corpus is not part of this repository: its licences do not allow that. Where it is not beside the checkout, there is nothing to run.
(existsSync(tool) ? describe : describe.skip)('the corpus of real workflows', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ env: { credentials: { RATE_LIMIT_PER_MINUTE: '0' } } });
  }, 120_000);
  afterAll(() => stack?.stop());

  it('can be stored, read, put back and read again unchanged, every one of them', async () => {
    const { passed, failed, text } = await conformance(stack, 'roundtrip', '.');
    expect([failed, failed === 0 ? '' : text]).toEqual([0, '']);
    expect(passed).toBeGreaterThanOrEqual(385);
  }, 300_000);
});
