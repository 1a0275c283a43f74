import { useReactFlow, useViewport } from '@xyflow/react';
import { Icon } from '../../ui/icon';

/** How a graph is fitted into its place. */
export const FIT = { padding: 0.16, maxZoom: 1, minZoom: 0.1 };

/** Zoom of a graph, with buttons that change it. */
export const Zoom = () => {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const { zoom } = useViewport();
  return (
    <div className="zoom" role="group" aria-label="Zoom">
      <button type="button" className="btn quiet" aria-label="Zoom out" onClick={() => void zoomOut()}>
        <Icon name="minus" />
      </button>
      <span className="zoomlevel num" aria-live="off">
        {Math.round(zoom * 100)} %
      </span>
      <button type="button" className="btn quiet" aria-label="Zoom in" onClick={() => void zoomIn()}>
        <Icon name="plus" />
      </button>
      <button type="button" className="btn quiet" aria-label="Show the whole graph" onClick={() => void fitView(FIT)}>
        <Icon name="fit" />
      </button>
    </div>
  );
};
