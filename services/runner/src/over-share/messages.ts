import { isObject } from '@weft/service-kit/json';
import type { HandedOver } from '../domain/end/hand-over';

/** Message of a runner to its process for large data, in addition to those to every child process. */
export interface ToOverShare {
  readonly kind: 'run';
  readonly handedOver: HandedOver;
}

/** Message of that process to its runner. */
export type FromOverShare =
  /** It holds the claim now, or has no room for the run. */
  | { readonly kind: 'taken' | 'refused'; readonly executionId: string; readonly fence: number }
  /** An accepted run has ended or paused. */
  | { readonly kind: 'ended' }
  /** A run of this owner uses large data. */
  | { readonly kind: 'large'; readonly ownerKey: string };

/** Checks only the distinguishing fields: both ends are the same program. */
const isHandedOver = (value: unknown): value is HandedOver =>
  isObject(value) &&
  isObject(value['claimed']) &&
  typeof value['claimed']['executionId'] === 'string' &&
  isObject(value['definition']) &&
  typeof value['leaseMs'] === 'number';

/** Parses a message of the runner; undefined if it is not one. */
export const readToOverShare = (value: unknown): ToOverShare | undefined => {
  if (!isObject(value)) return undefined;
  const { kind, handedOver } = value;
  return kind === 'run' && isHandedOver(handedOver) ? { kind, handedOver } : undefined;
};

/** Parses a message of the process; undefined if it is not one. */
export const readFromOverShare = (value: unknown): FromOverShare | undefined => {
  if (!isObject(value)) return undefined;
  const { kind, executionId, fence, ownerKey } = value;
  if (kind === 'ended') return { kind };
  if (kind === 'large') return typeof ownerKey === 'string' ? { kind, ownerKey } : undefined;
  if (kind !== 'taken' && kind !== 'refused') return undefined;
  return typeof executionId === 'string' && typeof fence === 'number' ? { kind, executionId, fence } : undefined;
};
