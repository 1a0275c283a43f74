import type { JsonObject } from '@weft/node-catalogue';
import type { CodeRunner } from '@weft/sandbox';
import { benchDeps } from './bench-deps';
import { runDefinition } from './run-definition';

const ROUNDS = 5;

/**
 * Milliseconds that the engine takes for a workflow without any service around it. Median of five, after one to warm
 * up.
 */
export const measureEngine = async (definition: JsonObject, code: CodeRunner): Promise<number> => {
  const deps = benchDeps(code);
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const began = performance.now();
    await runDefinition(definition, [{ json: {} }], deps);
    if (round > 0) times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
};
