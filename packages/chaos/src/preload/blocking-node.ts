/**
 * Loaded with `--require` into the processes of a runner that execute runs: their No Operation node then blocks the
 * thread for `blockMs` milliseconds, if the first item, or its body, has such a number.
 */
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const RUNNER = /\/services\/runner\/dist\/src\/(?:over-share\/|isolation\/)?main\.js$/;

const block = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

interface Facts {
  readonly blockMs?: unknown;
  readonly body?: { readonly blockMs?: unknown };
}

interface BlockingContext {
  readonly items: readonly { readonly json: Facts }[];
}

interface Executor {
  readonly run: (context: BlockingContext) => unknown;
}

const program = process.argv[1] ?? '';
if (isMainThread && RUNNER.test(program)) {
  const { NODE_REGISTRY: nodes }: { readonly NODE_REGISTRY: Map<string, Executor> } =
    createRequire(program)('@weft/nodes/executors');
  const noOp = nodes.get('noOp');
  if (noOp === undefined) throw new Error('There is no No Operation node.');
  nodes.set('noOp', {
    ...noOp,
    run: (context) => {
      const facts = context.items[0]?.json;
      const ms = facts?.blockMs ?? facts?.body?.blockMs;
      if (typeof ms === 'number') block(ms);
      return noOp.run(context);
    },
  });
}
