import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** Results of the runner's own measurement. */
export interface EngineFigures {
  readonly shapes: readonly { readonly shape: string; readonly perSecond: number; readonly plainPerSecond: number }[];
  /**
   * Milliseconds of one call of a Code node on 100 items, and of the same JSON through a pipe and back: with a short
   * pause between the calls, with a longer rest, and without.
   */
  readonly calls: Readonly<
    Record<'warmMs' | 'restedMs' | 'backToBackMs' | 'warmPipeMs' | 'restedPipeMs' | 'backToBackPipeMs', number>
  >;
  /** Milliseconds of the engine alone for each given workflow. */
  readonly engineMs: readonly number[];
}

const PROGRAM = resolve(__dirname, '../../../../../services/runner/dist/bench/main.js');
const LIMIT_MS = 300_000;

/**
 * Measures the engine in a separate process, without any service.
 * @param workflows that the engine is measured with
 */
export const runEngineProgram = async (workflows: readonly unknown[]): Promise<EngineFigures> => {
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.stdin.end(JSON.stringify(workflows));
  const [code]: unknown[] = await once(child, 'close');
  if (code !== 0) throw new Error(`The measurement of the engine ended with ${String(code)}.`);
  const figures: EngineFigures = JSON.parse(Buffer.concat(parts).toString());
  return figures;
};
