import { type CallOptions } from '@weft/service-kit/grpc';
import { ServiceError } from '@weft/service-kit/errors';
import type { JsonObject } from '@weft/node-catalogue';
import { type InstancePage, NodeFailure } from '@weft/engine';

/** Calls a method with the rights of the owner of the run. */
export type Act = <Result>(
  method: { readonly path: string },
  call: (options: CallOptions, triesBefore: number) => Promise<Result>,
) => Promise<Result>;

/** Timeout of one call in milliseconds. */
export const DEADLINE_MS = 30_000;
const MAX_PAGE = 100;

/** The failure for calls that this instance does not support. */
export const unsupported = (message: string, description: string): NodeFailure =>
  new NodeFailure(message, { description });

/** Size of a page. */
export const limitOf = ({ limit = MAX_PAGE }: InstancePage): number =>
  Math.max(1, Math.min(MAX_PAGE, Math.trunc(limit)));

/** The response with a page of a list. */
export const listOf = (data: readonly JsonObject[], nextCursor: string): JsonObject => ({
  data: [...data],
  nextCursor: nextCursor === '' ? null : nextCursor,
});

const hasReason = (error: unknown, reason: string): boolean => error instanceof ServiceError && error.reason === reason;

/** Deletes a resource; one deleted by an earlier try counts as deleted. */
export const deleted = async (remove: () => Promise<unknown>, triesBefore: number, missing: string): Promise<void> => {
  try {
    await remove();
  } catch (error) {
    if (triesBefore === 0 || !hasReason(error, missing)) throw error;
  }
};
