import type { AppDocument } from '@weft/app-model';
import { type NodeExecutor, type NodeRegistry, type PreparedWorkflow, prepareWorkflow } from '@weft/engine';
import type { WorkflowDefinition } from '@weft/node-catalogue';
import { descriptorIn, kindsIn, readPinnedApp } from '../descriptors/kinds-in';
import { ToolRegistry } from '../langchain/tools/variant/tool-registry';
import { executorOf } from './app-executors';

/** Executors by app, so that versions with the same revision share its prepared operations. */
const executors = new WeakMap<AppDocument, Map<string, NodeExecutor>>();

function executorIn(app: AppDocument, kind: string): NodeExecutor {
  const ofApp = executors.get(app) ?? new Map<string, NodeExecutor>();
  executors.set(app, ofApp);
  const known = ofApp.get(kind);
  if (known !== undefined) return known;
  const made = executorOf(kind, () => ({ app, descriptor: descriptorIn(app, kind) }));
  ofApp.set(kind, made);
  return made;
}

/** Executors of the kinds of the user-defined apps of a definition, and of their tools; undefined if it has none. */
function executorsIn({ apps }: Pick<WorkflowDefinition, 'apps'>): NodeRegistry | undefined {
  if (apps === undefined) return undefined;
  const kinds = kindsIn({ apps });
  return new ToolRegistry(
    apps.flatMap((app) =>
      app.kinds.map((kind): [string, NodeExecutor] => [kind, executorIn(readPinnedApp(app), kind)]),
    ),
    (kind) => kinds.get(kind),
  );
}

/** Prepares a definition with the kinds that it may use, those of its user-defined apps included. */
export const prepareWithApps = (definition: WorkflowDefinition): PreparedWorkflow =>
  prepareWorkflow(definition, kindsIn(definition), executorsIn(definition));
