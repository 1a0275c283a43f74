/** Smallest distance between connected nodes: their width and room for a connection. */
export const MIN_DISTANCE = 264;
const MAX_STRETCH = 1.6;
/** Positions beyond are not drawn where they say. */
const MAX_COORDINATE = 100_000;
/** Offset of a node whose place is taken. */
const SHIFT = 24;

export const isDrawable = (coordinate: number): boolean =>
  Number.isFinite(coordinate) && Math.abs(coordinate) < MAX_COORDINATE;

/**
 * How far apart nodes are drawn, horizontally: definitions may assume nodes of half the width.
 * @param distances from left to right, of connected nodes
 */
export const stretchFor = (distances: readonly number[]): number => {
  const nearest = distances.reduce(
    (least, distance) => (distance > 0 ? Math.min(least, distance) : least),
    MIN_DISTANCE,
  );
  return Math.min(MAX_STRETCH, MIN_DISTANCE / nearest);
};

/** Finds free places, so that no node hides another one. */
export const placing = (): ((x: number, y: number) => readonly [number, number]) => {
  const taken = new Set<string>();
  /** Number of nodes that wanted a place: as many places from there on are taken. */
  const wanted = new Map<string, number>();
  return (x, y) => {
    const key = `${x} ${y}`;
    let shifts = wanted.get(key) ?? 0;
    wanted.set(key, shifts + 1);
    while (taken.has(`${x + shifts * SHIFT} ${y + shifts * SHIFT}`)) shifts += 1;
    const place = [x + shifts * SHIFT, y + shifts * SHIFT] as const;
    taken.add(place.join(' '));
    return place;
  };
};
