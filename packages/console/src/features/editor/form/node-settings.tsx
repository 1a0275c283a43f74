import type { Json, NodeDefinition } from '@weft/node-catalogue/definitions';
import { type NodeField, setDisabled, setNodeField } from '@weft/workflow-edit';
import { readNumber } from '@weft/workflow-edit/form';
import { useId } from 'react';
import { typeOfNode } from '../../graph/kinds';
import { useEditor } from '../editor-context';
import { useEdits } from './form-context';
import { useDraft } from './use-draft';

const ON_ERROR = [
  ['stopWorkflow', 'End the run'],
  ['continueRegularOutput', 'Continue, with the error in the item'],
  ['continueErrorOutput', 'Continue at the error output'],
] as const;

const Switch = ({ label, help, isOn, change }: { label: string; help: string; isOn: boolean; change: () => void }) => (
  <div className="fl row">
    <div className="grow">
      {label}
      <p className="faint">{help}</p>
    </div>
    <button type="button" className="switch" role="switch" aria-checked={isOn} aria-label={label} onClick={change} />
  </div>
);

/** A whole number within limits; empty removes it. */
const Count = ({
  label,
  value,
  initial,
  change,
}: {
  label: string;
  value: number | undefined;
  /** The value that counts without one. */
  initial: number;
  change: (value: number | undefined) => void;
}) => {
  const id = useId();
  const commit = (next: Json): void => change(typeof next === 'number' ? next : undefined);
  const draft = useDraft(value === undefined ? '' : String(value), readNumber, String, commit);
  return (
    <div className="fl">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="tin num"
        type="text"
        inputMode="numeric"
        value={draft.text}
        placeholder={String(initial)}
        aria-invalid={draft.problem !== undefined}
        onChange={({ target }) => (target.value === '' ? change(undefined) : draft.type(target.value))}
      />
      {draft.problem !== undefined && <p className="st error wraps">{draft.problem}</p>}
    </div>
  );
};

/** What happens around a run of the node: retries, errors, its output, notes. */
export const NodeSettings = ({ node }: { node: NodeDefinition }) => {
  const { edit, kinds } = useEditor();
  const { endTyping } = useEdits();
  const id = useId();
  const { name } = node;
  const set = (field: NodeField, value: Json | undefined, group?: string): void =>
    edit((document) => setNodeField(document, name, field, value), group === undefined ? undefined : `${id} ${group}`);
  const toggle = (field: 'retryOnFail' | 'alwaysOutputData' | 'executeOnce') => (): void =>
    set(field, node[field] === true ? undefined : true);
  const isTool = typeOfNode(kinds, node.type)?.provides?.some(({ type }) => type === 'ai_tool') === true;
  const onError = node.onError ?? (node.continueOnFail === true ? 'continueRegularOutput' : 'stopWorkflow');
  const chooseOnError = (next: string): void => {
    endTyping();
    // The older field would take effect again.
    if (node.continueOnFail !== undefined) set('continueOnFail', undefined, `onError ${next}`);
    set('onError', next === 'stopWorkflow' ? undefined : next, `onError ${next}`);
  };
  return (
    <>
      <div className="fl">
        <label htmlFor={`${id}-error`}>If the node fails</label>
        <select
          id={`${id}-error`}
          className="tin"
          value={onError}
          onChange={({ target }) => chooseOnError(target.value)}
        >
          {ON_ERROR.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <Switch
        label="Retry if it fails"
        help="Runs the node again before it counts as failed."
        isOn={node.retryOnFail === true}
        change={toggle('retryOnFail')}
      />
      {node.retryOnFail === true && (
        <>
          <Count
            label="Tries, 2 to 5"
            value={node.maxTries}
            initial={3}
            change={(value) => set('maxTries', value, 'tries')}
          />
          <Count
            label="Milliseconds between tries, at most 5,000"
            value={node.waitBetweenTries}
            initial={1_000}
            change={(value) => set('waitBetweenTries', value, 'wait')}
          />
        </>
      )}
      {isTool && (
        <Switch
          label="Ask a person before each call"
          help="The run waits until someone approves or rejects the call that the model wants to make."
          isOn={node.approval === 'required'}
          change={() => set('approval', node.approval === 'required' ? undefined : 'required')}
        />
      )}
      <Switch
        label="Always output data"
        help="Without items, gives one empty item, so that the next nodes run."
        isOn={node.alwaysOutputData === true}
        change={toggle('alwaysOutputData')}
      />
      <Switch
        label="Execute once"
        help="Runs for the first item only."
        isOn={node.executeOnce === true}
        change={toggle('executeOnce')}
      />
      <Switch
        label="Disabled"
        help="The node does not run; its first input passes through."
        isOn={node.disabled === true}
        change={() => edit((document) => setDisabled(document, [name], node.disabled !== true))}
      />
      <div className="fl">
        <label htmlFor={`${id}-notes`}>Notes</label>
        <textarea
          id={`${id}-notes`}
          className="tarea"
          rows={4}
          value={node.notes ?? ''}
          onChange={({ target }) => set('notes', target.value === '' ? undefined : target.value, 'notes')}
        />
      </div>
    </>
  );
};
