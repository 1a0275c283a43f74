import { useState } from 'react';

const STEP = 16;
const LARGE_STEP = 64;

/** Limits of the size that a separator changes, in pixels. */
export interface SplitLimits {
  readonly min: number;
  readonly max: number;
  readonly initial: number;
}

const clamp = (size: number, { min, max }: SplitLimits): number => Math.min(Math.max(Math.round(size), min), max);

/** A size that this browser remembers. @param key names it */
export const useSize = (key: string, limits: SplitLimits): readonly [number, (size: number) => void] => {
  const name = `weft-size-${key}`;
  const [size, setSize] = useState(() => {
    const known = Number(localStorage.getItem(name) ?? Number.NaN);
    return Number.isFinite(known) ? clamp(known, limits) : limits.initial;
  });
  return [
    size,
    (next) => {
      const fitting = clamp(next, limits);
      setSize(fitting);
      localStorage.setItem(name, String(fitting));
    },
  ];
};

/**
 * A line between two panels that resizes the one behind it, by pointer or keyboard.
 * @param axis `x` if it is moved to the left and right
 */
export const Splitter = ({
  axis,
  label,
  size,
  limits,
  resize,
}: {
  axis: 'x' | 'y';
  label: string;
  size: number;
  limits: SplitLimits;
  resize: (size: number) => void;
}) => {
  const [grip, setGrip] = useState<number>();
  const grow = axis === 'x' ? 'ArrowLeft' : 'ArrowUp';
  const shrink = axis === 'x' ? 'ArrowRight' : 'ArrowDown';
  return (
    <div
      role="separator"
      tabIndex={0}
      className={`splitter ${axis}`}
      aria-label={label}
      aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'}
      aria-valuenow={size}
      aria-valuemin={limits.min}
      aria-valuemax={limits.max}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setGrip(size + (axis === 'x' ? event.clientX : event.clientY));
      }}
      onPointerMove={(event) => {
        if (grip !== undefined) resize(grip - (axis === 'x' ? event.clientX : event.clientY));
      }}
      onPointerUp={() => setGrip(undefined)}
      onPointerCancel={() => setGrip(undefined)}
      onDoubleClick={() => resize(limits.initial)}
      onKeyDown={(event) => {
        const step = event.shiftKey ? LARGE_STEP : STEP;
        if (event.key === grow) resize(size + step);
        else if (event.key === shrink) resize(size - step);
        else if (event.key === 'Home') resize(limits.min);
        else if (event.key === 'End') resize(limits.max);
        else return;
        event.preventDefault();
      }}
    />
  );
};
