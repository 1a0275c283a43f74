import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@weft/node-catalogue';

/** Where the memory that all nodes of a run share lies among the memories of nodes: no node can have this name. */
export const RUN_MEMORY = '\u0000run';

/**
 * The token that proves the right to wake this run: 256 random bits, made when it is first asked for and the same for
 * all its waits, so that an address can be sent before the run waits there.
 * @param runMemory what the nodes of the run share; the token is kept in it.
 */
export function resumeTokenOf(runMemory: JsonObject): string {
  const known = runMemory['resumeToken'];
  if (typeof known === 'string') return known;
  const token = randomBytes(32).toString('base64url');
  runMemory['resumeToken'] = token;
  return token;
}

/** The addresses that wake this run: for programs, and for people who fill in a form. */
export function resumeUrlsOf(publicUrl: string, runMemory: JsonObject): { readonly resumeUrl: string; readonly resumeFormUrl: string } {
  const token = resumeTokenOf(runMemory);
  const base = publicUrl.replace(/\/+$/, '');
  return { resumeUrl: `${base}/webhook-waiting/${token}`, resumeFormUrl: `${base}/form-waiting/${token}` };
}
