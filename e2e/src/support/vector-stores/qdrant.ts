import { bodyOf, serve, type StandIn } from '../stand-ins/serve';

/** A point as it was sent. */
export interface Point {
  readonly id: string;
  readonly vector: readonly number[];
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Moments of a request that stores points. */
export type Moment = 'received' | 'stored';

/** A server with the part of Qdrant's API that nodes use. It keeps one point for each id. */
export interface QdrantServer extends StandIn {
  /** Points of a collection, in the order in which they came first. */
  readonly points: (collection: string) => readonly Point[];
  /** Requests that were to store points. */
  readonly writes: () => number;
  /** Called at each moment of a request that stores points. True leaves the rest of the request out. */
  onWrite: (write: number, moment: Moment) => boolean;
}

const PATH = /^\/collections\/([^/?]+)(\/points(?:\/query)?)?(?:\?.*)?$/;

/** Starts the server. A request with a body that is not JSON gets status 400. */
export async function serveQdrant(): Promise<QdrantServer> {
  const collections = new Map<string, Map<string, Point>>();
  let writes = 0;
  const answerTo = async (
    method: string,
    path: string,
    body: string,
  ): Promise<readonly [number, unknown] | undefined> => {
    const [, name = '', what] = PATH.exec(path) ?? [];
    const collection = collections.get(decodeURIComponent(name));
    if (what === undefined && method === 'PUT') {
      collections.set(decodeURIComponent(name), collection ?? new Map());
      return [200, { result: true, status: 'ok' }];
    }
    if (collection === undefined) return [404, { status: { error: `Collection ${name} is missing` } }];
    if (what === undefined) {
      const size = [...collection.values()][0]?.vector.length;
      return [200, { result: { config: { params: { vectors: size === undefined ? {} : { size } } } } }];
    }
    if (what === '/points') {
      writes += 1;
      const write = writes;
      if (server.onWrite(write, 'received')) return undefined;
      const given: { readonly points: readonly Point[] } = JSON.parse(body);
      for (const point of given.points) collection.set(point.id, point);
      return server.onWrite(write, 'stored') ? undefined : [200, { result: { status: 'completed' }, status: 'ok' }];
    }
    const query: { readonly query: readonly number[]; readonly limit: number } = JSON.parse(body);
    const points = [...collection.values()]
      .map(({ id, payload, vector }) => ({ id, payload, score: cosine(vector, query.query) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, query.limit);
    return [200, { result: { points } }];
  };
  const standIn = await serve((request, response) => {
    void bodyOf(request)
      .then((body) => answerTo(request.method ?? '', request.url ?? '', body))
      .catch(() => [400, { status: { error: 'Format error in JSON body' } }] as const)
      .then((answer) => {
        if (answer === undefined) return;
        response.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]));
      });
  });
  const server: QdrantServer = {
    ...standIn,
    points: (name) => [...(collections.get(name)?.values() ?? [])],
    writes: () => writes,
    onWrite: () => false,
  };
  return server;
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b) || 1);
}
