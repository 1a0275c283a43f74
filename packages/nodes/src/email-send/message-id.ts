import { createHash } from 'node:crypto';

const DOMAIN = /@([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)/i;

/**
 * The Message-ID of one mail of a run, derived from execution, node, run and item. It is the same on every attempt,
 * including a resumed run, so that mail servers and readers can detect a duplicate. Its domain is the sender's.
 */
export function messageIdOf(execution: string, node: string, run: number, item: number, from: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([execution, node, run, item]))
    .digest('hex')
    .slice(0, 40);
  return `<${digest}@${(DOMAIN.exec(from)?.[1] ?? 'weft.invalid').toLowerCase()}>`;
}
