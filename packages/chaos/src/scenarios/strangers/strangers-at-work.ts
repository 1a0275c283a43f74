/** A gRPC port, and a method of it that is not for strangers. */
export interface GrpcPort {
  /** `host:port` */
  readonly address: string;
  readonly method: string;
}

/** State that all strangers of a process share. */
export interface Strangers {
  readonly baseUrls: readonly string[];
  readonly ownerEmail: string;
  readonly grpcPorts: readonly GrpcPort[];
  readonly isOver: () => boolean;
  /** Counts one outcome under a name. */
  readonly count: (name: string) => void;
}

const ADDRESSES = 8;

/** The address of a stranger, different from those of clients with keys. All of 127/8 is this machine. */
export const addressOf = (index: number): string => `127.0.0.${2 + (index % ADDRESSES)}`;
