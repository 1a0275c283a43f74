import type { JsonObject } from '@weft/node-catalogue';
import { openSandboxes } from '@weft/sandbox';
import { measureCode } from './measure-code';
import { measureEngine } from './measure-engine';
import { measureExpressions } from './measure-expressions';

/** Reads a JSON list of workflows from standard input, measures the engine, and writes the figures as JSON. */
const run = async (): Promise<void> => {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(Buffer.from(part));
  const definitions: readonly JsonObject[] = JSON.parse(Buffer.concat(parts).toString());
  const sandboxes = openSandboxes({ processes: 1, memoryMb: 128, timeoutMs: 30_000 });
  await sandboxes.ready();
  const code = sandboxes.of('bench');
  try {
    const shapes = await measureExpressions(code);
    const calls = await measureCode(code);
    const engineMs: number[] = [];
    for (const definition of definitions) engineMs.push(await measureEngine(definition, code));
    process.stdout.write(JSON.stringify({ shapes, calls, engineMs }));
  } finally {
    await sandboxes.close();
  }
};

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
