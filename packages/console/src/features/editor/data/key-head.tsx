import { keyExpression } from '@weft/workflow-edit/form';
import { copyText } from '../../../ui/values/copy';
import { Icon } from '../../../ui/icon';
import { MenuButton, type MenuEntry } from '../../../ui/overlays/menu';
import { useStore } from '../../../ui/store';
import { dragKey, mappingTargets } from './mapping';

/** Fields that a menu offers. */
const MAX_TARGETS = 40;

/** The name of a key, which can be dragged onto a field; its menu inserts it without dragging. */
export const KeyHead = ({ root, path }: { root: string; path: readonly string[] }) => {
  const targets = useStore(mappingTargets);
  const name = path.at(-1) ?? '';
  const mapped = { expression: keyExpression(root, path), name };
  const entries: readonly MenuEntry[] = [
    ...targets.slice(0, MAX_TARGETS).map(({ key, label, insert }) => ({
      label: `Insert into ${label}`,
      id: key,
      act: () => insert(mapped),
    })),
    { label: 'Copy expression', icon: 'copy', act: () => void copyText(`{{ ${mapped.expression} }}`, 'Expression') },
  ];
  return (
    <span className="keyhead" draggable onDragStart={(event) => dragKey(event, mapped)} title={mapped.expression}>
      <code className="clip">{path.join('.')}</code>
      <MenuButton className="btn quiet icon tiny" label={`Use ${path.join('.')}`} entries={entries}>
        <Icon name="more" size={12} />
      </MenuButton>
    </span>
  );
};
