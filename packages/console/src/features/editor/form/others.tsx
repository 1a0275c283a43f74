import { type OtherValue, prettyJson } from '@weft/workflow-edit/form';
import { Icon } from '../../../ui/icon';
import { useEdits } from './form-context';
import { JsonEditor } from './json-control';

/** Stored values that no control edits, as JSON: parameters of later releases, and those of other settings. */
export const Others = ({ values, title }: { values: readonly OtherValue[]; title: string }) => {
  const { set } = useEdits();
  if (values.length === 0) return null;
  return (
    <details className="others">
      <summary>
        {title} <span className="count">{values.length}</span>
      </summary>
      {values.map(({ path, key, name, value, reason, error }) => (
        <div key={key} className="fl">
          <div className="flh">
            <code className="grow clip" title={name}>
              {name}
            </code>
            <span className="tag">{reason === 'hidden' ? 'not used now' : 'unknown'}</span>
            <button
              type="button"
              className="btn quiet icon sm"
              aria-label={`Remove ${name}`}
              onClick={() => set(path, undefined)}
            >
              <Icon name="close" size={12} />
            </button>
          </div>
          <JsonEditor path={path} label={name} text={prettyJson(value)} />
          {error !== undefined && <p className="st error wraps">{error}</p>}
        </div>
      ))}
    </details>
  );
};
