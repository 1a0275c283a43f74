import {
  BaseEdge,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
  getSmoothStepPath,
} from '@xyflow/react';
import { memo } from 'react';
import { Icon } from '../../../ui/icon';
import type { TypedLink } from '../operations/links';

/** What a connection on the canvas shows and does. */
export interface CanvasEdgeData extends Record<string, unknown> {
  readonly link: TypedLink;
  readonly isBack: boolean;
  readonly canEdit: boolean;
  /** Number of items that passed; absent: not known. */
  readonly items: string | undefined;
  readonly insert: (link: TypedLink) => void;
  readonly remove: (link: TypedLink) => void;
}

export type CanvasFlowEdge = Edge<CanvasEdgeData, 'weft'>;

/** A connection; a selected one has buttons that insert a node and remove it. */
export const CanvasEdge = memo(function CanvasEdge(props: EdgeProps<CanvasFlowEdge>) {
  const { id, data, selected } = props;
  const [path, x, y] = data?.isBack === true ? getSmoothStepPath({ ...props, offset: 36 }) : getBezierPath(props);
  return (
    <>
      <BaseEdge id={id} path={path} interactionWidth={24} />
      {(selected === true || data?.items !== undefined) && (
        <EdgeLabelRenderer>
          <div
            className="ed-edge nodrag nopan"
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          >
            {selected === true && data?.canEdit === true ? (
              <>
                <button
                  type="button"
                  className="btn icon tiny"
                  aria-label="Insert a node here"
                  onClick={() => data.insert(data.link)}
                >
                  <Icon name="plus" size={12} />
                </button>
                <button
                  type="button"
                  className="btn icon tiny"
                  aria-label="Remove this connection"
                  onClick={() => data.remove(data.link)}
                >
                  <Icon name="trash" size={12} />
                </button>
              </>
            ) : (
              <span className="elabel">{data?.items}</span>
            )}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
});
