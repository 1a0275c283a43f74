import { Icon } from '../icon';
import { notify } from '../overlays/toast';

/** Copies a text, and says so. */
export const copyText = async (text: string, what: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${what} copied`);
  } catch {
    notify('The browser does not allow copying here', 'error');
  }
};

/** A button that copies a text. @param shown visible text; without one only the icon */
export const CopyButton = ({ text, label, shown }: { text: string; label: string; shown?: string }) => (
  <button
    type="button"
    className={shown === undefined ? 'btn quiet icon tiny' : 'btn quiet sm'}
    aria-label={shown === undefined ? label : `${label}: ${shown}`}
    onClick={() => void copyText(text, 'Text')}
  >
    <Icon name="copy" size={12} />
    {shown !== undefined && <code className="clip">{shown}</code>}
  </button>
);
