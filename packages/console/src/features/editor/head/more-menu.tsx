import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { weft } from '../../../api/client';
import { queryClient, useMay } from '../../../api/queries';
import { Icon } from '../../../ui/icon';
import { downloadText } from '../../../ui/values/json';
import { MenuButton, type MenuEntry } from '../../../ui/overlays/menu';
import { useEditor } from '../editor-context';
import { useMakeCopy } from '../save/make-copy';

const Confirm = lazy(() => import('../../../ui/overlays/dialog').then((module) => ({ default: module.Confirm })));

const fileNameOf = (name: string): string => `${name.replace(/[^\w-]+/g, '-').slice(0, 80)}.json`;

/** Further actions on the workflow. */
export const MoreMenu = () => {
  const { workflowId, document, isReadOnly, undo, redo, select } = useEditor();
  const navigate = useNavigate();
  const mayWrite = useMay('workflows:write');
  const [isDeleting, setDeleting] = useState(false);
  const { name } = document.definition;
  const copy = useMakeCopy();
  const all = document.entries().map((entry) => entry.name);
  const edits: readonly MenuEntry[] = isReadOnly
    ? []
    : [
        { label: 'Undo', icon: 'undo', act: undo },
        { label: 'Redo', icon: 'redo', act: redo },
      ];
  const writes: readonly MenuEntry[] = mayWrite
    ? [
        { label: 'Make a copy', icon: 'copy', act: () => copy.mutate() },
        { label: 'Delete the workflow', icon: 'trash', isDanger: true, act: () => setDeleting(true) },
      ]
    : [];
  return (
    <>
      <MenuButton
        label="More actions"
        entries={[
          ...edits,
          { label: 'Select all nodes', icon: 'check', act: () => select(all) },
          { label: 'Download', icon: 'download', act: () => downloadText(document.text, fileNameOf(name)) },
          ...writes,
        ]}
      >
        <Icon name="more" />
      </MenuButton>
      <Suspense>
        {isDeleting && (
          <Confirm
            title={`Delete ${name}?`}
            action="Delete"
            isDanger
            close={() => setDeleting(false)}
            act={async () => {
              await weft.call('deleteWorkflow', { path: { id: workflowId } });
              void queryClient.invalidateQueries({ queryKey: ['workflows'] });
              await navigate({ to: '/workflows', search: {}, ignoreBlocker: true });
            }}
          >
            <p>Its webhooks and schedules stop. Its executions stay until their retention ends.</p>
          </Confirm>
        )}
      </Suspense>
    </>
  );
};
