import { useReactFlow } from '@xyflow/react';
import type { DragEvent } from 'react';
import { typeOfKind } from '../../graph/kinds';
import { addKind } from '../operations/add-node';
import { useEditor } from '../editor-context';
import { toDefinition } from './canvas-model';

/** Type of the data of a kind that is dragged from the palette. */
export const KIND_DATA = 'application/x-weft-kind';

/** Makes the canvas a place where kinds of the palette can be dropped. */
export const usePaletteDrop = (stretch: number) => {
  const editor = useEditor();
  const { screenToFlowPosition } = useReactFlow();
  const isKind = ({ dataTransfer }: DragEvent): boolean => !editor.isReadOnly && dataTransfer.types.includes(KIND_DATA);
  return {
    onDragOver: (event: DragEvent): void => {
      if (!isKind(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    },
    onDrop: (event: DragEvent): void => {
      const type = typeOfKind(editor.kinds, event.dataTransfer.getData(KIND_DATA));
      if (!isKind(event) || type === undefined) return;
      event.preventDefault();
      const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY });
      addKind(editor, type, { at: toDefinition(x - 104, y - 28, stretch) });
    },
  };
};
