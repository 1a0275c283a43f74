import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const PROGRAM = join(__dirname, 'watchdog-program.js');

/** Runs the program. @returns how it ended, and the lines that it printed */
const run = async (mode: string, during: (pid: number) => Promise<void> = () => Promise.resolve()) => {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...process.env, MODE: mode },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = text(child.stdout);
  const ended: Promise<unknown[]> = once(child, 'exit');
  await during(child.pid ?? 0);
  const [code, signal] = await ended;
  const lines = (await printed).split('\n').filter((line) => line !== '');
  return { code, signal, lines: lines.map((line): unknown => JSON.parse(line)), pid: child.pid };
};

describe('the watchdog of an engine', () => {
  it('replaces the program whose thread a run blocks, in the same process, on the same port', async () => {
    const { code, lines, pid } = await run('replaced');
    expect([code, lines]).toEqual([
      0,
      [
        { pid },
        {
          pid,
          predecessor: {
            ended: {
              ms: expect.any(Number),
              run: { executionId: 'e', workflowId: 'w', versionId: 'v', ownerKey: 'owner o', node: 'Blocks' },
            },
            ends: { isolated: 4 },
            blamed: [expect.objectContaining({ versionId: 'w' })],
          },
          isListening: true,
          hadChildren: true,
          hasChildren: false,
        },
      ],
    ]);
  }, 60_000);

  it('names no run if several may have blocked the thread', async () => {
    const { code, lines } = await run('unnamed');
    expect([code, lines[1]]).toEqual([
      0,
      expect.objectContaining({ predecessor: { ended: { ms: expect.any(Number) }, ends: {}, blamed: [] } }),
    ]);
  }, 60_000);

  it('does not end a process with many short turns, one that was stopped, or one that no run blocks', async () => {
    const { code, lines, pid } = await run('busy', async (pid) => {
      await sleep(1_000);
      process.kill(pid, 'SIGSTOP');
      await sleep(1_000);
      process.kill(pid, 'SIGCONT');
    });
    expect([code, lines]).toEqual([0, [{ pid }, { isDone: true }]]);
  }, 60_000);
});
