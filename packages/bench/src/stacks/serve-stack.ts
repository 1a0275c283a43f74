import type { Stack, StackOptions } from '@weft/local-stack';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { MARK, type StackFacts, type StackMessage, type StackSettings } from './stack-messages';

/** The part of a checkout's stack library that is used; every checkout since the first `npm run bench` has it. */
interface StackLibrary {
  readonly startStack: (
    options: Pick<StackOptions, 'replicas' | 'env' | 'report'>,
  ) => Promise<
    Pick<
      Stack,
      'processes' | 'servers' | 'baseUrls' | 'apiKey' | 'mongodbUri' | 'grpcTargets' | 'unexpectedEnd' | 'stop'
    >
  >;
}

const send = (message: StackMessage): void => void process.stdout.write(`${MARK}${JSON.stringify(message)}\n`);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs a stack of the checkout until the standard input ends. */
const serve = async (checkout: string, settings: StackSettings): Promise<void> => {
  const closed = once(process.stdin.resume(), 'end');
  const library: StackLibrary = createRequire(__filename)(join(checkout, 'packages/local-stack/dist/src/index.js'));
  const began = performance.now();
  const stack = await library.startStack({ ...settings, report: (line) => void process.stderr.write(`${line}\n`) });
  const facts: StackFacts = {
    baseUrl: stack.baseUrls[0] ?? '',
    apiKey: stack.apiKey,
    mongodbUri: stack.mongodbUri,
    workflowsTarget: stack.grpcTargets.workflows,
    processes: [
      ...stack.processes.map(({ service, pid }) => ({ name: service, pid, showsChildren: true })),
      ...stack.servers.map(({ name, pid }) => ({ name, pid, showsChildren: false })),
    ],
    readyMs: performance.now() - began,
  };
  send({ event: 'ready', facts });
  void stack.unexpectedEnd().then((error) => send({ event: 'failed', message: messageOf(error) }));
  await closed;
  await stack.stop();
};

const [checkout = '', settings = ''] = process.argv.slice(2);
serve(checkout, JSON.parse(settings)).then(
  () => process.exit(0),
  (error: unknown) => {
    send({ event: 'failed', message: messageOf(error) });
    process.exitCode = 1;
  },
);
