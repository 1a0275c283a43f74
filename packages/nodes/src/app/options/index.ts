import type { AppDocument } from '@weft/app-model';
import { kindOf, toolVariantOf } from '@weft/node-catalogue';
import { describeKind } from '../../descriptors/kinds';
import { kindsOfApp } from '../../descriptors/kinds-of-app';
import { listModels } from '../../langchain/models/list-models';
import { modelCredentialOf } from '../../langchain/models/model-credential';
import type { LoadedApp } from '../app-run';
import { appOfBuild, type OutsidePorts } from '../outside-of-runs';
import { listOptions, type OptionsRequest, type OptionsResult } from './list-options';

export { MAX_OPTIONS, OPTIONS_MS, type OptionsRequest, type OptionsResult } from './list-options';

/** Finds the user-defined app that provides a kind, as JSON; undefined if there is none. */
export type FindApp = (kind: string) => Promise<string | undefined>;

/**
 * Lists options of a parameter of a node type of an app, or models of a model node; undefined for any other type.
 * @param type a node type such as `n8n-nodes-base.slack`, or a kind
 * @param findApp absent: only apps of the build
 */
export async function listNodeOptions(
  type: string,
  request: OptionsRequest,
  ports: OutsidePorts,
  signal: AbortSignal,
  findApp?: FindApp,
): Promise<OptionsResult | undefined> {
  const named = kindOf(type) ?? type;
  const modelType = modelCredentialOf(named);
  if (modelType !== undefined) return listModels(modelType, request, ports, signal);
  const kind = describeKind(named)?.toolOf ?? named;
  const loaded = appOfBuild(kind) ?? appOfUsers(kind, await findApp?.(kind));
  return loaded === undefined ? undefined : listOptions(loaded, request, ports, signal);
}

function appOfUsers(kind: string, json: string | undefined): LoadedApp | undefined {
  if (json === undefined || describeKind(kind) !== undefined) return undefined;
  const app: AppDocument = JSON.parse(json);
  const descriptor = kindsOfApp(app).find((one) => one.kind === kind || toolVariantOf(one)?.kind === kind);
  return descriptor === undefined ? undefined : { app, descriptor };
}
