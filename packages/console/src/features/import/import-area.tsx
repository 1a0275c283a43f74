import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type DragEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Icon } from '../../ui/icon';
import { notify } from '../../ui/overlays/toast';
import { createEmptyWorkflow } from './create-workflow';
import type { ImportContent, ImportText } from './read-import';

const ImportDialog = lazy(() => import('./import-dialog').then((module) => ({ default: module.ImportDialog })));

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, .dialog') !== null;

/** Creates an empty workflow and opens it. @param projectId its owner; absent: the user */
export const NewWorkflowButton = ({ projectId }: { projectId: string | undefined }) => {
  const create = useMutation({
    mutationFn: () => createEmptyWorkflow(projectId),
    onError: (error) => notify('Could not create a workflow', 'error', error.message),
  });
  return (
    <button
      type="button"
      className="btn primary"
      aria-label="New workflow"
      disabled={create.isPending}
      onClick={() => create.mutate()}
    >
      <Icon name="plus" />
      <span>
        New<span className="only-wide"> workflow</span>
      </span>
    </button>
  );
};

/**
 * A part of a page on which workflows can be imported: by files that are dropped or chosen, or by pasting text.
 * @param isAllowed false for users who may not create workflows
 * @param projectId owner that is proposed for them; absent: the caller
 * @param children gets the button that chooses files
 */
export const ImportArea = ({
  isAllowed,
  projectId,
  children,
}: {
  isAllowed: boolean;
  projectId?: string | undefined;
  children: (button: ReactNode) => ReactNode;
}) => {
  const [content, setContent] = useState<ImportContent>();
  const [isOver, setOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const read = async (source: ImportText | readonly File[]): Promise<void> => {
    // The reader of workflows is loaded with the first import.
    const { readFiles, readImport } = await import('./read-import');
    setContent(readImport('text' in source ? [source] : await readFiles(source)));
  };
  const readChosen = (chosen: readonly File[]): void => {
    if (chosen.length > 0) void read(chosen);
  };
  useEffect(() => {
    if (!isAllowed) return;
    const onPaste = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (isField(event.target) || text.trim() === '') return;
      event.preventDefault();
      void read({ name: 'Pasted text', text });
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [isAllowed]);
  const button = isAllowed && (
    <>
      <button type="button" className="btn" onClick={() => files.current?.click()}>
        <Icon name="download" />
        Import
      </button>
      <input
        ref={files}
        type="file"
        hidden
        multiple
        accept=".json,application/json,text/plain"
        aria-label="Files of workflows"
        onChange={({ target }: ChangeEvent<HTMLInputElement>) => {
          const chosen = [...(target.files ?? [])];
          target.value = '';
          readChosen(chosen);
        }}
      />
    </>
  );
  return (
    <div
      className={`ed-droparea${isOver ? ' over' : ''}`}
      onDragOver={(event) => {
        if (!hasFiles(event) || !isAllowed) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (event.currentTarget === event.target) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event) || !isAllowed) return;
        event.preventDefault();
        setOver(false);
        readChosen([...event.dataTransfer.files]);
      }}
    >
      {children(button)}
      {isOver && <p className="ed-drophint">Drop files to import their workflows</p>}
      <Suspense>
        {content !== undefined && (
          <ImportDialog content={content} projectId={projectId} close={() => setContent(undefined)} />
        )}
      </Suspense>
    </div>
  );
};
