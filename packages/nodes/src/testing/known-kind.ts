import type { KindDescriptor } from '@weft/node-catalogue';
import { describeKind } from '../descriptors/kinds';

/** The descriptor of a kind. @throws Error if it does not exist */
export function knownKind(kind: string): KindDescriptor {
  const descriptor = describeKind(kind);
  if (descriptor === undefined) throw new Error(`No kind ${kind}.`);
  return descriptor;
}
