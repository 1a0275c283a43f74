import type { ResolvedWebhook } from '@weft/proto/workflows';
import { isUuid, uuidv7 } from '@weft/service-kit/ids';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The server that a session belongs to. */
export type SessionServer = Pick<ResolvedWebhook, 'workflowId' | 'node'>;

/** Names of sessions, which any replica can check. */
export interface SessionIds {
  /** A new id, and the name that its client sends. */
  readonly create: (server: SessionServer) => { readonly id: string; readonly name: string };
  /** The id in a name; undefined for one that no gateway has made for this server. */
  readonly read: (name: string, server: SessionServer) => string | undefined;
}

/** Creates and checks names by a secret that all replicas have. */
export const createSessionIds = (secretOf: () => string): SessionIds => {
  const proofOf = (id: string, { workflowId, node }: SessionServer): Buffer =>
    createHmac('sha256', secretOf())
      .update(JSON.stringify(['MCP session', id, workflowId, node]))
      .digest();
  return {
    create: (server) => {
      const id = uuidv7();
      return { id, name: `${id}.${proofOf(id, server).toString('base64url')}` };
    },
    read: (name, server) => {
      const [id = '', proof = ''] = name.split('.');
      if (!isUuid(id)) return undefined;
      const [sent, expected] = [Buffer.from(proof, 'base64url'), proofOf(id, server)];
      return sent.length === expected.length && timingSafeEqual(sent, expected) ? id : undefined;
    },
  };
};
