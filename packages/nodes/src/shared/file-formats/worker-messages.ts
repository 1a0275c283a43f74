import type { FormatTasks } from './tasks';

/** What a worker is started for. */
export interface WorkerOrder<Kind extends keyof FormatTasks> {
  readonly kind: Kind;
  readonly input: FormatTasks[Kind]['input'];
}

/** What it answers, once. */
export type WorkerAnswer<Kind extends keyof FormatTasks> =
  { readonly output: FormatTasks[Kind]['output'] } | { readonly error: string };
