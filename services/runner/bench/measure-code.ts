import type { JsonObject } from '@weft/node-catalogue';
import { setTimeout as pause } from 'node:timers/promises';
import type { NodeExecutor } from '@weft/engine';
import { NODE_REGISTRY } from '@weft/nodes/executors';
import type { CodeRunner } from '@weft/sandbox';
import { benchDeps } from './bench-deps';
import { measurePipe } from './measure-pipe';
import { benchNode, runDefinition } from './run-definition';

const CALLS = 60;
const ITEMS = 100;
/** Between two warm calls: more than a sandbox needs to make its next engine ready. */
const PAUSE_MS = 5;
/** Long enough for the processes to have gone to rest, so that waking them counts. */
const REST_MS = 40;

/** Milliseconds of one call of a Code node on 100 items whose own code only returns them. */
export interface CodeCalls {
  readonly warmMs: number;
  /** The same when nothing has run for a while. */
  readonly restedMs: number;
  /** Without a pause between the calls, so that each waits for its engine to be made. */
  readonly backToBackMs: number;
  /** The same JSON to another process and back, as the ceilings of the three. */
  readonly warmPipeMs: number;
  readonly restedPipeMs: number;
  readonly backToBackPipeMs: number;
}

const item = (index: number): JsonObject => ({
  id: index,
  name: `Name ${index}`,
  mail: `person${index}@example.org`,
  tags: ['a', 'b'],
  address: { city: 'Potsdam', zip: '14467' },
});

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The Code node, each run of it timed. */
const timedCode = (times: number[]): NodeExecutor => {
  const real = NODE_REGISTRY.get('code');
  if (real === undefined) throw new Error('There is no Code node.');
  return {
    ...real,
    run: async (context) => {
      const began = performance.now();
      const result = await real.run(context);
      times.push(performance.now() - began);
      return result;
    },
  };
};

const calls = async (code: CodeRunner, pauseMs: number): Promise<number> => {
  const times: number[] = [];
  const deps = benchDeps(code, [timedCode(times)]);
  const definition: JsonObject = {
    name: 'Code',
    nodes: [benchNode('Code', 'code', { jsCode: 'return $input.all()' }, 2)],
    connections: {},
  };
  const input = Array.from({ length: ITEMS }, (_, index) => ({ json: item(index) }));
  for (let call = 0; call < CALLS; call += 1) {
    await runDefinition(definition, input, deps);
    if (pauseMs > 0) await pause(pauseMs);
  }
  return median(times.slice(CALLS / 3));
};

/** Measures warm and back-to-back calls. Medians. */
export const measureCode = async (code: CodeRunner): Promise<CodeCalls> => {
  const bytes = Buffer.from(JSON.stringify(Array.from({ length: ITEMS }, (_, index) => ({ json: item(index) }))));
  return {
    warmPipeMs: await measurePipe(bytes, PAUSE_MS),
    restedPipeMs: await measurePipe(bytes, REST_MS),
    backToBackPipeMs: await measurePipe(bytes, 0),
    warmMs: await calls(code, PAUSE_MS),
    restedMs: await calls(code, REST_MS),
    backToBackMs: await calls(code, 0),
  };
};
