import { field, type Json } from '@weft/service-kit/json-values';
import type { NodeDefinition } from './definition';
import { type Conditions, inVersions, type KindDescriptor, type VersionRange } from './descriptor';
import { isExpression, parameterOrDefault, plainValue, versionOf } from './parameters';

/** Numbers of inputs and outputs of a node. */
export interface PortCounts {
  /** Undefined: unlimited, or not known before the run. */
  readonly inputs: number | undefined;
  readonly outputs: number | undefined;
}

const lookUp = (node: NodeDefinition, descriptor: KindDescriptor, path: string): Json | undefined => {
  const [first = '', ...rest] = path.split('.');
  const top = parameterOrDefault(node.parameters, descriptor, versionOf(node, descriptor), first);
  return plainValue(rest.reduce<Json | undefined>((value, name) => field(value, name), top));
};

const countBy = (node: NodeDefinition, descriptor: KindDescriptor, path: string): number | undefined => {
  const value = lookUp(node, descriptor, path);
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' ? value : undefined;
};

/** True if a rule holds for a node: its version and the values of other parameters match. */
export const countsFor = (
  rule: VersionRange & { readonly shownWhen?: Conditions },
  node: NodeDefinition,
  descriptor: KindDescriptor,
): boolean =>
  inVersions(rule, versionOf(node, descriptor)) &&
  Object.entries(rule.shownWhen ?? {}).every(([name, allowed]) => {
    const value = lookUp(node, descriptor, name);
    return isExpression(value) || allowed.some((one) => one === value);
  });

/**
 * Counts the ports of a node from its descriptor. Where a parameter determines the outputs, a fallback output may exist
 * and is counted; so is the error output.
 */
export function portCountsOf(node: NodeDefinition, descriptor: KindDescriptor): PortCounts {
  const rules = (descriptor.ports ?? []).filter((rule) => countsFor(rule, node, descriptor));
  const inputs = rules.reduce<number | undefined>(
    (count, { inputs: listed, inputsBy }) =>
      inputsBy === undefined ? (listed?.length ?? count) : countBy(node, descriptor, inputsBy),
    descriptor.inputs.length,
  );
  const outputs = rules.reduce<number | undefined>((count, { outputs: listed, outputsBy }) => {
    if (outputsBy === undefined) return listed?.length ?? count;
    const counted = countBy(node, descriptor, outputsBy);
    return counted === undefined ? undefined : counted + 1;
  }, descriptor.outputs.length);
  const forErrors = node.onError === 'continueErrorOutput' ? 1 : 0;
  return { inputs, outputs: outputs === undefined ? undefined : outputs + forErrors };
}
