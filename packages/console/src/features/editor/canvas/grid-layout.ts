import type { CanvasModel, CanvasNodeModel } from './canvas-model';

const COLUMN = 280;
const ROW = 104;
/** Columns of a band; the next ones begin below it. */
const COLUMNS = 40;

/** Number of links from a start to each node, along the longest way in the order in which nodes run. */
const ranksOf = (nodes: readonly CanvasNodeModel[], links: CanvasModel['links']): ReadonlyMap<string, number> => {
  const order = new Map(nodes.map(({ name }, at) => [name, at]));
  const outgoing = Map.groupBy(links, ({ from }) => from);
  const ranks = new Map<string, number>(nodes.map(({ name }) => [name, 0]));
  for (const { name } of nodes)
    for (const { to } of outgoing.get(name) ?? []) {
      // A link to an earlier node leads back.
      const isForward = (order.get(to) ?? -1) > (order.get(name) ?? 0);
      if (isForward) ranks.set(to, Math.max(ranks.get(to) ?? 0, (ranks.get(name) ?? 0) + 1));
    }
  return ranks;
};

/**
 * Places the nodes of a large graph in columns, in bands of 40 columns. Takes linear time, and no recursion: chains may
 * have 2,000 nodes.
 */
export const gridLayout = (
  nodes: readonly CanvasNodeModel[],
  links: CanvasModel['links'],
): ReadonlyMap<string, readonly [number, number]> => {
  const ranks = ranksOf(nodes, links);
  const bands = Map.groupBy(nodes, ({ name }) => Math.floor((ranks.get(name) ?? 0) / COLUMNS));
  const places = new Map<string, readonly [number, number]>();
  let top = 0;
  for (const band of [...bands.keys()].sort((a, b) => a - b)) {
    /** Number of nodes by column. */
    const used = new Map<number, number>();
    for (const { name } of bands.get(band) ?? []) {
      const column = (ranks.get(name) ?? 0) % COLUMNS;
      const row = used.get(column) ?? 0;
      used.set(column, row + 1);
      places.set(name, [column * COLUMN, top + row * ROW]);
    }
    top += (Math.max(...used.values()) + 1) * ROW;
  }
  return places;
};
