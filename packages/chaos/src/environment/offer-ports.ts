import type { Rewrite } from '@weft/local-stack';

/** Head of an offer whose callers wait: the port of its replica, and its ids. */
const AWAITED_OFFER = /127\.0\.0\.1:(\d+) awaited ([0-9a-f,-]+)/g;

/** The offers that the runners of a stack received through their proxies. */
export interface OfferPorts {
  /** A runner reaches the replica that listens at `port` by a proxy at `proxyPort`. */
  readonly add: (runner: number, port: number, proxyPort: number) => void;
  /**
   * Rewrites the data that a runner reads from NATS. An offer names the port at which its replica listens; the runner
   * knows that replica by the port of its proxy, and refuses any other. An offer split between two pieces is unchanged.
   */
  readonly rewriteFor: (runner: number) => Rewrite;
  /** Number of executions that were offered before they were stored, to any runner. */
  readonly count: () => number;
}

/** Creates an empty set of ports. */
export const createOfferPorts = (): OfferPorts => {
  const ports = new Map<string, string>();
  const offered = new Set<string>();
  const translate = (runner: number, head: string, port: string, ids: string): string => {
    const proxyPort = ports.get(`${runner} ${port}`);
    if (proxyPort === undefined) return head;
    // NATS sends the length of a message before it.
    if (proxyPort.length !== port.length) throw new Error(`Port ${proxyPort} cannot stand in place of ${port}.`);
    for (const id of ids.split(',')) offered.add(id);
    return head.replace(port, proxyPort);
  };
  return {
    add: (runner, port, proxyPort) => void ports.set(`${runner} ${port}`, String(proxyPort)),
    rewriteFor: (runner) => (piece, isAnswer) => {
      if (!isAnswer || !piece.includes(' awaited ')) return piece;
      const text = piece.toString('latin1');
      return Buffer.from(
        text.replace(AWAITED_OFFER, (head: string, port: string, ids: string) => translate(runner, head, port, ids)),
        'latin1',
      );
    },
    count: () => offered.size,
  };
};
