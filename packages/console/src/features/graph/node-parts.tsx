import type { NodeType } from '@weft/client';
import { type NodeHandle, Position } from '@xyflow/react';
import { KindTile } from './kind-tile';

export const NODE_WIDTH = 208;
const PORT = 11;

/** The side of a node on which a port is. */
export type PortSide = 'in' | 'out';

/** Position of a port. @param y of its centre, from the top of the node */
export const portStyle = (y: number) => ({ top: y - PORT / 2, marginTop: 0 });

/** A port as the library needs it for connections of nodes that are out of view. */
export const handleOf = (side: PortSide, id: string, y: number): NodeHandle => ({
  id,
  type: side === 'in' ? 'target' : 'source',
  position: side === 'in' ? Position.Left : Position.Right,
  x: side === 'in' ? 0 : NODE_WIDTH,
  y,
  width: 1,
  height: 1,
});

/** A port as the library finds it if it looks at a node: where `handleOf` says it is. */
export const PortDot = ({ side, id, y }: { side: PortSide; id: string; y: number }) => (
  <span
    className={`port ${side} ${side === 'in' ? 'target' : 'source'}`}
    data-handleid={id}
    data-handlepos={side === 'in' ? 'left' : 'right'}
    style={portStyle(y)}
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
