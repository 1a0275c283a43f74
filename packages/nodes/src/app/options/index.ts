import { APPS, readApp } from '@weft/apps';
import { kindOf } from '@weft/node-catalogue';
import { describeKind } from '../../descriptors/kinds';
import { listOptions, type OptionPorts, type OptionsRequest, type OptionsResult } from './list-options';

export { MAX_OPTIONS, type OptionPorts, OPTIONS_MS, type OptionsRequest, type OptionsResult } from './list-options';

/**
 * Lists options of a parameter of a node type of an app; undefined for a type of no app.
 * @param type a node type such as `n8n-nodes-base.slack`, or a kind
 */
export async function listNodeOptions(
  type: string,
  request: OptionsRequest,
  ports: OptionPorts,
  signal: AbortSignal,
): Promise<OptionsResult | undefined> {
  const kind = kindOf(type) ?? type;
  const entry = APPS.find(({ kinds }) => kinds.includes(kind));
  const descriptor = describeKind(kind);
  if (entry === undefined || descriptor === undefined) return undefined;
  return listOptions({ app: readApp(entry.name), descriptor }, request, ports, signal);
}
