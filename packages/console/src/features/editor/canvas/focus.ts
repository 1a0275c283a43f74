import type { CanvasModel } from './canvas-model';

type Direction = 'ArrowRight' | 'ArrowLeft' | 'ArrowDown' | 'ArrowUp';

export const isDirection = (key: string): key is Direction =>
  ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp'].includes(key);

/**
 * The node that an arrow key leads to: along links to the right and left; up and down to the nearest node in the same
 * column, or else the next one in the order in which nodes run.
 */
export const nodeTowards = (model: CanvasModel, name: string, key: Direction): string | undefined => {
  const { nodes, links, byName } = model;
  if (key === 'ArrowRight') return links.find(({ from, to }) => from === name && to !== name)?.to;
  if (key === 'ArrowLeft') return links.find(({ from, to }) => to === name && from !== name)?.from;
  const here = byName.get(name);
  if (here === undefined) return undefined;
  const sign = key === 'ArrowDown' ? 1 : -1;
  const below = nodes
    .filter((node) => (node.y - here.y) * sign > 0 && Math.abs(node.x - here.x) < here.box.width)
    .sort((a, b) => (a.y - b.y) * sign);
  return (below[0] ?? nodes[nodes.indexOf(here) + sign])?.name;
};
