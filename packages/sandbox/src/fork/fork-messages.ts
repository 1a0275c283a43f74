/** What the owner of a fork server asks of it. `id` names a child; it is chosen by who asks. */
export type ToForkServer =
  { readonly kind: 'fork'; readonly id: number } | { readonly kind: 'kill'; readonly id: number };

/** What a fork server says. With `forked` comes the other end of the child's channel. */
export type FromForkServer =
  | { readonly kind: 'forked'; readonly id: number; readonly pid: number }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }
  /** This server can copy no process that could be sealed. */
  | { readonly kind: 'unsealed'; readonly id: number; readonly reason: string }
  | { readonly kind: 'ended'; readonly id: number; readonly signal: NodeJS.Signals | null };

const KINDS: readonly string[] = ['fork', 'kill', 'forked', 'failed', 'unsealed', 'ended'];

/** True for a message of the other side. Both are ours, and nothing of a user's runs in either. */
export const isForkMessage = <Message extends ToForkServer | FromForkServer>(value: unknown): value is Message =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  typeof value.kind === 'string' &&
  KINDS.includes(value.kind) &&
  'id' in value &&
  typeof value.id === 'number';
