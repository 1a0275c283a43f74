/** Requests to a fork server. `id` names a child and is chosen by the requester. */
export type ToForkServer =
  { readonly kind: 'fork'; readonly id: number } | { readonly kind: 'kill'; readonly id: number };

/** Messages of a fork server. `forked` comes with the other end of the child's channel. */
export type FromForkServer =
  | { readonly kind: 'forked'; readonly id: number; readonly pid: number }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }
  /** This server cannot create a process that can be sealed. */
  | { readonly kind: 'unsealed'; readonly id: number; readonly reason: string }
  | { readonly kind: 'ended'; readonly id: number; readonly signal: NodeJS.Signals | null };

const KINDS: readonly string[] = ['fork', 'kill', 'forked', 'failed', 'unsealed', 'ended'];

/** True for a message of the other side. Both sides are trusted; neither runs user code. */
export const isForkMessage = <Message extends ToForkServer | FromForkServer>(value: unknown): value is Message =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  typeof value.kind === 'string' &&
  KINDS.includes(value.kind) &&
  'id' in value &&
  typeof value.id === 'number';
