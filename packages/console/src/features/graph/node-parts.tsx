import type { NodeType } from '@weft/client';
import { type NodeHandle, Position } from '@xyflow/react';
import { KindTile } from './kind-tile';

export const NODE_WIDTH = 208;
const PORT = 11;

/** Where a port is: items enter and leave at the sides; sub-nodes are below the node that uses them. */
export type PortSide = 'in' | 'out' | 'below' | 'above';

const POSITIONS = { in: Position.Left, out: Position.Right, below: Position.Bottom, above: Position.Top } as const;

/** Position of a port for the library. */
export const positionOf = (side: PortSide): Position => POSITIONS[side];

/** The end of links at a port. */
export const endOf = (side: PortSide): 'source' | 'target' => (side === 'in' || side === 'below' ? 'target' : 'source');

/** Position of a port. @param offset of its centre, from the top of the node, or from the left for one below or above */
export const portStyle = (side: PortSide, offset: number) =>
  side === 'in' || side === 'out'
    ? { top: offset - PORT / 2, marginTop: 0 }
    : { left: offset - PORT / 2, marginTop: 0 };

/** A port as the library needs it for connections of nodes that are out of view. @param height of the node */
export const handleOf = (side: PortSide, id: string, offset: number, height: number): NodeHandle => {
  const isAtSide = side === 'in' || side === 'out';
  return {
    id,
    type: endOf(side),
    position: positionOf(side),
    x: isAtSide ? (side === 'in' ? 0 : NODE_WIDTH) : offset,
    y: isAtSide ? offset : side === 'below' ? height : 0,
    width: 1,
    height: 1,
  };
};

/** A port as the library finds it if it looks at a node: where `handleOf` says it is. */
export const PortDot = ({ side, id, offset }: { side: PortSide; id: string; offset: number }) => (
  <span
    className={`port ${side} ${endOf(side)}${side === 'below' || side === 'above' ? ' other' : ''}`}
    data-handleid={id}
    data-handlepos={positionOf(side)}
    style={portStyle(side, offset)}
  />
);

/** Tile, name and kind of a node. */
export const NodeTitle = ({
  name,
  kind,
  type,
  isDisabled,
  summary,
  state,
}: {
  name: string;
  kind: string;
  type: NodeType | undefined;
  isDisabled: boolean;
  /** What it does, in place of the label of its kind; that is read out as well. */
  summary: string | undefined;
  /** Its state in words, for screen readers. */
  state: string;
}) => (
  <>
    <KindTile kind={kind} type={type} />
    <span className="grow">
      <b>{name}</b>
      {summary !== undefined && !isDisabled && type !== undefined ? (
        <small>
          <span className="sr">{type.label}, </span>
          {summary}
        </small>
      ) : (
        <small>{isDisabled ? 'disabled' : (type?.label ?? `${kind} · unknown kind`)}</small>
      )}
      {state !== '' && <span className="sr">{state}</span>}
    </span>
  </>
);
