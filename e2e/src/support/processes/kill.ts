import type { Stack, StackProcess } from '@weft/local-stack';

/** Settings of stacks whose runners are killed: runs continue after seconds, and may call servers of the story. */
export const QUICK_RECOVERY = {
  executions: { LEASE_MS: '3000', SWEEP_MS: '300' },
  credentials: { RATE_LIMIT_PER_MINUTE: '0' },
  runner: { OUTBOUND_ALLOW: '127.0.0.1' },
};

/** Kills a process with SIGKILL, and starts it again. */
export async function killAndRestart(victim: StackProcess): Promise<void> {
  victim.kill('SIGKILL');
  await victim.ended;
  await victim.restart();
}

/** The same for the only runner of a stack, or the first one. */
export async function killRunner(stack: Stack): Promise<void> {
  const [runner] = stack.of('runner');
  if (runner !== undefined) await killAndRestart(runner);
}
