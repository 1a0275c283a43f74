import { lazy, Suspense } from 'react';
import type { EditorDialog } from './dialog';

const RenameDialog = lazy(() => import('./rename-dialog').then((module) => ({ default: module.RenameDialog })));
const LinksDialog = lazy(() => import('./links-dialog').then((module) => ({ default: module.LinksDialog })));
const MoveDialog = lazy(() => import('./move-dialog').then((module) => ({ default: module.MoveDialog })));
const Palette = lazy(() => import('../palette/palette').then((module) => ({ default: module.Palette })));

/** The question that the editor asks. */
export const EditorDialogs = ({ dialog, close }: { dialog: EditorDialog | undefined; close: () => void }) => {
  if (dialog === undefined) return null;
  return (
    <Suspense>
      {dialog.kind === 'rename' && <RenameDialog node={dialog.node} close={close} />}
      {dialog.kind === 'links' && <LinksDialog node={dialog.node} close={close} />}
      {dialog.kind === 'move' && <MoveDialog node={dialog.node} close={close} />}
      {dialog.kind === 'palette' && <Palette anchor={dialog.anchor} close={close} />}
    </Suspense>
  );
};
