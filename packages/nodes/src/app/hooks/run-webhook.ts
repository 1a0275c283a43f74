import type { AppDocument, AppWebhook } from '@weft/app-model';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { type Item, type NodeContext, type NodeResult, output } from '@weft/engine';
import { type LoadedApp, newAppRun } from '../app-run';
import { withDelays } from '../delayed-items';
import { prepareOperation, type PreparedOperation } from '../prepare-app';
import { letOf } from '../prepare-request';
import { ParameterReader } from '../read-parameters';
import { runOperation, scopeOf } from '../run-operation';
import { Template } from '../template';

/** The trigger of an app, ready to receive calls. */
export interface PreparedWebhook {
  /** Makes the items of a call, after the steps. */
  readonly operation: PreparedOperation;
  readonly accept: Template | undefined;
  /** What `accept` may read. */
  readonly outer: PreparedOperation['let'];
}

/** Prepares the trigger of a kind. */
export function prepareWebhook(app: AppDocument, kind: string, webhook: AppWebhook): PreparedWebhook {
  const { let: own, steps, items } = webhook;
  const at = `${app.name}: kinds.${kind}`;
  return {
    operation: prepareOperation(
      app,
      kind,
      { ...(own === undefined ? {} : { let: own }), ...(steps === undefined ? {} : { steps }), item: items },
      'webhook',
    ),
    accept: webhook.accept === undefined ? undefined : new Template(webhook.accept, `${at}.webhook.accept`),
    outer: [...letOf(app.kinds[kind]?.let, `${at}.let`), ...letOf(own, `${at}.webhook.let`)],
  };
}

/** `$request`: the call of the service. */
function requestOf({ headers, query, body }: JsonObject): JsonObject {
  return { headers: headers ?? {}, query: query ?? {}, body: body ?? {} };
}

/**
 * Runs the trigger of an app. A call that is not accepted gives no items, and the run leaves no record. A run that was
 * started in another way has the data of its start.
 */
export async function runWebhook(
  context: NodeContext,
  loaded: LoadedApp,
  { operation, accept, outer }: PreparedWebhook,
): Promise<NodeResult> {
  const [call] = context.items;
  if (context.mode !== 'webhook' || call === undefined) return output(context.items);
  const run = newAppRun(loaded, context);
  const parameters = new ParameterReader(context, loaded.descriptor).read(0);
  const roots: Readonly<Record<string, Json>> = { $request: requestOf(call.json) };
  const scope = scopeOf({ ...operation, let: [] }, parameters, run, 0, {}).with(roots);
  if (accept?.holds(scope.withLet(outer)) === false) return output([]);
  return withDelays(context, async (progress) => {
    const items = await runOperation(operation, parameters, run, 0, progress, roots);
    return output(items.map(withoutSource));
  });
}

/** Items of a trigger have no source. */
function withoutSource({ pairedItem: _source, ...item }: Item): Item {
  return item;
}
