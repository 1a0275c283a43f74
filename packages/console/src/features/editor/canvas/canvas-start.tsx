import { useEffect, useRef } from 'react';
import { Icon, type IconName } from '../../../ui/icon';
import { useEditor } from '../editor-context';
import { addKind } from '../operations/add-node';
import { focusNode } from '../operations/node-keys';

/** The triggers that most workflows begin with. */
const TRIGGERS: readonly (readonly [kind: string, text: string, icon: IconName])[] = [
  ['webhook', 'When a webhook is called', 'webhook'],
  ['scheduleTrigger', 'On a schedule', 'calendar'],
  ['manualTrigger', 'When I start it', 'play'],
];

/** What to do with a workflow that has no nodes yet. */
export const CanvasStart = () => {
  const editor = useEditor();
  const { kinds, document, isReadOnly, ask } = editor;
  const choices = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // After a navigation, the page as a whole has the focus: Enter then adds the first trigger.
    const { activeElement, body } = window.document;
    if (activeElement === body || activeElement?.id === 'main') choices.current?.querySelector('button')?.focus();
  }, []);
  if (document.entries().length > 0) return null;
  if (isReadOnly) return <p className="ed-start soft">This workflow has no nodes.</p>;
  const add = (kind: string): void => {
    const type = kinds.get(kind);
    if (type !== undefined) focusNode(addKind(editor, type, {}));
  };
  return (
    <section className="ed-start" aria-label="First node">
      <h2>When should this workflow run?</h2>
      <div className="starts" ref={choices}>
        {TRIGGERS.filter(([kind]) => kinds.has(kind)).map(([kind, text, icon]) => (
          <button key={kind} type="button" className="btn" onClick={() => add(kind)}>
            <Icon name={icon} />
            {text}
          </button>
        ))}
        <button type="button" className="btn" onClick={() => ask({ kind: 'palette', anchor: {} })}>
          <Icon name="plus" />
          Choose another node
          <kbd>A</kbd>
        </button>
      </div>
      <p className="soft">Or paste or drop an n8n export.</p>
    </section>
  );
};
