import { Fragment, useState } from 'react';
import { plural } from './format';
import { memberOf } from './json';

/** Open rows of one tree; what is beyond stays closed. */
const MAX_ENTRIES = 200;
const MAX_TEXT = 2_000;
const OPEN_DEPTH = 3;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const Scalar = ({ value }: { value: unknown }) => {
  if (typeof value === 'string') {
    const [text, rest] = [value.slice(0, MAX_TEXT), value.length - MAX_TEXT];
    return (
      <span className="s">
        {JSON.stringify(text)}
        {rest > 0 && <span className="faint"> … {plural(rest, 'more character')}</span>}
      </span>
    );
  }
  return <span className={typeof value === 'number' ? 'n' : 'w'}>{String(value)}</span>;
};

const Branch = ({ value, depth }: { value: object; depth: number }) => {
  const isList = Array.isArray(value);
  const keys = Object.keys(value);
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH && keys.length <= 50);
  const [shown, setShown] = useState(MAX_ENTRIES);
  const [left, right] = isList ? ['[', ']'] : ['{', '}'];
  if (keys.length === 0) return <>{left + right}</>;
  if (!isOpen)
    return (
      <button type="button" className="fold w" aria-expanded="false" onClick={() => setOpen(true)}>
        {left} {isList ? plural(keys.length, 'entry', 'entries') : plural(keys.length, 'field')} {right}
      </button>
    );
  const indent = '  '.repeat(depth + 1);
  return (
    <>
      <button type="button" className="fold" aria-expanded="true" aria-label="Fold" onClick={() => setOpen(false)}>
        {left}
      </button>
      {keys.slice(0, shown).map((key, at) => (
        <Fragment key={key}>
          {`\n${indent}`}
          {!isList && (
            <>
              <span className="k">{JSON.stringify(key)}</span>:{' '}
            </>
          )}
          <JsonValue value={memberAt(value, key)} depth={depth + 1} />
          {at < keys.length - 1 && ','}
        </Fragment>
      ))}
      {keys.length > shown && (
        <>
          {`\n${indent}`}
          <button type="button" className="fold w" onClick={() => setShown(shown + MAX_ENTRIES)}>
            … {plural(keys.length - shown, 'more')}
          </button>
        </>
      )}
      {`\n${'  '.repeat(depth)}${right}`}
    </>
  );
};

const memberAt = (value: object, key: string): unknown =>
  Array.isArray(value) ? value[Number(key)] : memberOf(value, key);

const JsonValue = ({ value, depth }: { value: unknown; depth: number }) =>
  isObject(value) ? <Branch value={value} depth={depth} /> : <Scalar value={value} />;

/** A value as JSON with parts that fold. */
export const JsonTree = ({ value, label }: { value: unknown; label: string }) => (
  <pre className="json jbox" tabIndex={0} aria-label={label}>
    <JsonValue value={value} depth={0} />
  </pre>
);
