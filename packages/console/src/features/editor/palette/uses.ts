import { memberOf } from '../../../ui/values/json';
import { kindOfNode } from '../../graph/kinds';

const KEY = 'weft-kind-uses';
const MAX_KINDS = 200;

/** Kinds that come first in a browser that has not added any; a single use counts more. */
const COMMON = [
  ['webhook', 'scheduleTrigger', 'manualTrigger', 'formTrigger', 'httpRequest', 'set', 'if', 'code'],
  ['respondToWebhook', 'switch', 'merge', 'filter', 'splitInBatches', 'wait', 'executeWorkflow', 'emailSend'],
].flat();

const stored = (): ReadonlyMap<string, number> => {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return new Map(
      (Array.isArray(value) ? value : []).flatMap((entry: unknown) => {
        const [kind, count] = [memberOf(entry, 'kind'), memberOf(entry, 'count')];
        return typeof kind === 'string' && typeof count === 'number' ? [[kind, count] as const] : [];
      }),
    );
  } catch {
    return new Map();
  }
};

/** Notes that a kind was added in this browser. */
export const countUse = (kind: string): void => {
  const uses = new Map(stored());
  uses.set(kind, (uses.get(kind) ?? 0) + 1);
  const kept = [...uses].sort(([, a], [, b]) => b - a).slice(0, MAX_KINDS);
  localStorage.setItem(KEY, JSON.stringify(kept.map(([name, count]) => ({ kind: name, count }))));
};

/** How often kinds were added in this browser, and occur in a workflow. */
export const usesOf = (nodes: readonly { readonly type: string }[]): ReadonlyMap<string, number> => {
  const common = COMMON.map((kind, at) => [kind, 0.9 - at / 100] as const);
  const uses = new Map([...common, ...stored()]);
  for (const { type } of nodes) {
    const kind = kindOfNode(type);
    uses.set(kind, (uses.get(kind) ?? 0) + 1);
  }
  return uses;
};
