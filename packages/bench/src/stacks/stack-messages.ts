import type { NamedProcess } from '../cpu/process-cpu';

/** Options of a stack: those that the stack library of every checkout accepts. */
export interface StackSettings {
  readonly replicas: Readonly<Record<string, number>>;
  /** Variables by service. */
  readonly env: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A stack that runs. */
export interface StackFacts {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly mongodbUri: string;
  /** gRPC target of the workflows service. */
  readonly workflowsTarget: string;
  readonly processes: readonly NamedProcess[];
  /** Milliseconds from the start of its servers until every process was healthy. */
  readonly readyMs: number;
}

/** A line of the stack's process, after {@link MARK}: the stack is ready, or it could not be started or kept up. */
export type StackMessage =
  { readonly event: 'ready'; readonly facts: StackFacts } | { readonly event: 'failed'; readonly message: string };

/** Begins each line of a message, since other lines may be the output of npm and of the compiler. */
export const MARK = 'weft-stack ';
