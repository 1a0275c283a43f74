import { Modal } from '../../../ui/dialog';
import type { PaletteAnchor } from '../dialogs/dialog';

export const Palette = ({ close }: { anchor: PaletteAnchor; close: () => void }) => (
  <Modal title="Add node" close={close}>
    <p />
  </Modal>
);
