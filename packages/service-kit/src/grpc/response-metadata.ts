import { Metadata, type ServerInterceptingCallInterface } from '@grpc/grpc-js';
import type { CountedUser } from '../auth';

/** Metadata that the server adds to the response of a user: initial metadata, or trailers if a call fails at once. */
export interface ResponseMetadata {
  readonly setRequestId: (requestId: string) => void;
  /** Adds the state of the limit; nothing for a user without one. */
  readonly setRateLimit: (user: CountedUser) => void;
  /** Adds it to metadata that is about to be sent, once. */
  readonly addTo: (metadata: Metadata) => void;
}

/** Creates the metadata of one response. The names and units are those of the headers of REST responses. */
export const createResponseMetadata = (): ResponseMetadata => {
  let own: Metadata | undefined;
  const set = (name: string, value: string | number): void => {
    own ??= new Metadata();
    own.set(name, String(value));
  };
  return {
    setRequestId: (requestId) => set('x-request-id', requestId),
    setRateLimit: ({ limit, remaining, resetAt }) => {
      if (limit <= 0) return;
      set('x-ratelimit-limit', limit);
      set('x-ratelimit-remaining', Math.max(0, remaining));
      set('x-ratelimit-reset', Math.ceil(resetAt.getTime() / 1000));
    },
    addTo: (metadata) => {
      if (own !== undefined) metadata.merge(own);
      own = undefined;
    },
  };
};

type Status = Parameters<ServerInterceptingCallInterface['sendStatus']>[0];

/** A status with the metadata of the response. */
export const statusWith = (status: Status, { addTo }: Pick<ResponseMetadata, 'addTo'>): Status => {
  const metadata = status.metadata ?? new Metadata();
  addTo(metadata);
  return { ...status, metadata };
};
