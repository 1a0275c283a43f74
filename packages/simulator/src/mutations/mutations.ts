import type { Mutation } from './apply-mutation';

/** The protections that the simulator must find missing. */
export const MUTATIONS: readonly Mutation[] = [];
