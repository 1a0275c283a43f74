import { type AppDocument, operationKey } from '@weft/app-model';
import { APPS, readApp } from '@weft/apps';
import { isExpression } from '@weft/node-catalogue';
import { type Item, type NodeContext, type NodeExecutor, NodeFailure, type NodeResult, output } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { describeKind } from '../descriptors/kinds';
import { type LoadedApp, newAppRun } from './app-run';
import { runBatch } from './batch/run-batch';
import { DelayedItems } from './delayed-items';
import { ItemResults } from './item-results';
import { prepareOperation, type PreparedOperation } from './prepare-app';
import { isReading } from './prepare-request';
import { type PreparedPoll, preparePoll } from './polls/prepare-poll';
import { runPoll } from './polls/run-poll';
import { ParameterReader } from './read-parameters';
import { mixedOperations, runRows } from './rows/run-rows';
import { runOperation } from './run-operation';
import { type PreparedWebhook, prepareWebhook, runWebhook } from './hooks/run-webhook';
import { runSend } from './send/run-send';
import type { Progress } from './steps/run-item-steps';

/** Finds an operation by its key. */
type FindOperation = (key: string) => PreparedOperation | undefined;

/** Executors of the node kinds of all apps of the build. An app is read when a node of it first runs. */
export const APP_EXECUTORS: readonly NodeExecutor[] = APPS.flatMap(({ name, kinds }) =>
  kinds.map((kind) =>
    executorOf(kind, () => {
      const descriptor = describeKind(kind);
      if (descriptor === undefined) throw new Error(`There is no kind ${kind}.`);
      return { app: readApp(name), descriptor };
    }),
  ),
);

/** The executor of a kind of an app, which is loaded once. Operations are prepared when they are first run. */
export function executorOf(kind: string, load: () => LoadedApp): NodeExecutor {
  let loaded: LoadedApp | undefined;
  const prepared = new Map<string, PreparedOperation>();
  const appOf = (): LoadedApp => (loaded ??= load());
  const operationOf: FindOperation = (key) => {
    const known = prepared.get(key);
    if (known !== undefined) return known;
    const { app } = appOf();
    const operations = app.kinds[kind]?.operations ?? {};
    const operation = Object.hasOwn(operations, key) ? operations[key] : undefined;
    if (operation === undefined) return undefined;
    const made = prepareOperation(app, kind, operation, `operations["${key}"]`);
    prepared.set(key, made);
    return made;
  };
  let webhook: PreparedWebhook | undefined;
  let poll: PreparedPoll | undefined;
  return {
    kind,
    actsOutside: (shape) => {
      const { app, descriptor } = appOf();
      if (descriptor.isTrigger) return app.kinds[kind]?.poll !== undefined;
      const [resource, name] = [shape.rawParameter('resource'), shape.rawParameter('operation')];
      if (isExpression(resource) || isExpression(name)) return true;
      const key = operationKey({ resource: resource ?? null, operation: name ?? null });
      const operation = operationOf(key);
      return operation === undefined || !readsOnly(operation);
    },
    awaitsCaller: (shape) => {
      const [resource, name] = [shape.rawParameter('resource'), shape.rawParameter('operation')];
      if (isExpression(resource) || isExpression(name)) return true;
      return operationOf(operationKey({ resource: resource ?? null, operation: name ?? null }))?.send !== undefined;
    },
    run: (context) => {
      const { app, descriptor } = appOf();
      const trigger = app.kinds[kind];
      if (trigger?.webhook !== undefined)
        return runWebhook(context, { app, descriptor }, (webhook ??= prepareWebhook(app, kind, trigger.webhook)));
      if (trigger?.poll !== undefined)
        return runPoll(context, { app, descriptor }, (poll ??= preparePoll(app, kind, trigger.poll)));
      return runApp(context, kind, { app, descriptor }, operationOf);
    },
  };
}

/** Code decides on its requests when it runs, so that it counts as acting. */
function readsOnly({ request, steps, rows, code, send }: PreparedOperation): boolean {
  if (send !== undefined) return false;
  if (rows !== undefined) return rows.mode === 'read' && isReading(rows.read.method);
  const requests = [...steps.map((step) => step.request), ...(request === undefined ? [] : [request])];
  return code === undefined && requests.every(({ method }) => isReading(method));
}

/** Runs a node of an app: its operation for each item, ten at a time, with the results in the order of the items. */
async function runApp(
  context: NodeContext,
  kind: string,
  { app, descriptor }: LoadedApp,
  operationOf: FindOperation,
): Promise<NodeResult> {
  if (context.items.length === 0) return output([]);
  const run = newAppRun({ app, descriptor }, context);
  const reader = new ParameterReader(context, descriptor);
  const key = firstKey(context);
  const first = key === undefined ? undefined : operationOf(key);
  if (first?.send !== undefined) return runSend({ context, run, operation: first, send: first.send, reader });
  const delayed = new DelayedItems(context);
  const finished = (items: readonly Item[]): NodeResult => {
    if (delayed.isWaiting) return delayed.wait();
    delayed.clear();
    return output(items);
  };
  if (key !== undefined && first?.rows !== undefined)
    return finished(await runRows({ run, operation: first, rows: first.rows, key, reader, delayed }));
  if (key !== undefined && first?.batch !== undefined && first.request !== undefined) {
    const { batch, request } = first;
    return finished(await runBatch({ run, operation: first, batch, request, key, reader, delayed }));
  }
  const results = new ItemResults(run, delayed);
  const runItem = async (index: number, progress: Progress): Promise<void> => {
    const parameters = reader.read(index);
    const operation = availableOperation(app, kind, operationKey(parameters.values), operationOf);
    if ((operation.rows ?? operation.batch ?? operation.send) !== undefined) throw mixedOperations(index);
    results.finish(index, await runOperation(operation, parameters, run, index, progress));
  };
  await results.forItems(runItem, { isInOrder: first?.isInOrder === true });
  return finished(results.inOrder());
}

/** The key of the operation that the first item selects; undefined if it cannot be read, which the item reports. */
function firstKey(context: NodeContext): string | undefined {
  try {
    const [resource, operation] = ['resource', 'operation'].map((name) => toJson(context.parameter(name, 0)));
    return operationKey({ resource: resource ?? null, operation: operation ?? null });
  } catch (thrown) {
    if (thrown instanceof NodeFailure) return undefined;
    throw thrown;
  }
}

/** @throws NodeFailure if the app does not have the operation */
function availableOperation(
  app: AppDocument,
  kind: string,
  key: string,
  operationOf: FindOperation,
): PreparedOperation {
  const operation = operationOf(key);
  if (operation !== undefined) return operation;
  const { label = app.label, operations = {} } = app.kinds[kind] ?? {};
  throw new NodeFailure(`The operation "${key}" of ${label} is not available.`, {
    description: `Available: ${Object.keys(operations).join(', ')}.`,
  });
}
