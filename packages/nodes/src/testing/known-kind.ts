import type { KindDescriptor } from '@weft/node-catalogue';
import { describeKind } from '../descriptors/kinds';

/** The descriptor of a kind. @throws Error if it does not exist */
export function knownKind(kind: string): KindDescriptor {
  const descriptor = describeKind(kind);
  if (descriptor === undefined) throw new Error(`No kind ${kind}.`);
  return descriptor;
}

/** True for a kind that only provides something to other nodes: no item reaches it. */
export function isSubNode({ provides = [], inputs, outputs }: KindDescriptor): boolean {
  return provides.length > 0 && inputs.length === 0 && outputs.length === 0;
}
