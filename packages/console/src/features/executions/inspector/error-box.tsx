import type { NodeRun } from '@weft/client';
import type { ReactNode } from 'react';
import { copyText } from '../../../ui/values/copy';
import { formatCount } from '../../../ui/values/format';
import { Icon } from '../../../ui/icon';

type ErrorFact = 'httpCode' | 'name' | 'itemIndex';

/** Messages end with the index of the item, from 0; the page says its number. */
const withoutIndex = (message: string): string => message.replace(/ \[item \d{1,9}\]$/, '');

/** What went wrong, with the facts that the error has. */
export const ErrorBox = ({
  run,
  retry,
  showItem,
}: {
  run: NodeRun;
  retry: ReactNode;
  /** Shows an input item. */
  showItem: (item: number) => void;
}) => {
  const { error } = run;
  const message = withoutIndex(error?.message ?? 'The node failed');
  const description = error?.description ?? undefined;
  const facts = (['httpCode', 'name', 'itemIndex'] as const).flatMap(
    (name): (readonly [ErrorFact, string | number])[] => {
      const value = error?.[name] ?? error?.context?.[name];
      // Items are numbered from 1 on the page.
      if (typeof value === 'number') return [[name, name === 'itemIndex' ? value + 1 : value] as const];
      return typeof value === 'string' ? [[name, value] as const] : [];
    },
  );
  const labels = { httpCode: 'Status', name: 'Error', itemIndex: 'Item' } as const;
  return (
    <div className="errbox">
      <p className="st error wraps">
        <Icon name="error" />
        <span>{message}</span>
      </p>
      {description !== undefined && description !== message && <p>{description}</p>}
      {facts.length > 0 && (
        <dl>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{labels[name]}</dt>
              <dd>
                {name === 'itemIndex' && typeof value === 'number' ? (
                  <button type="button" className="lnk" onClick={() => showItem(value - 1)}>
                    {formatCount(value)}
                  </button>
                ) : (
                  <code>{value}</code>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className="acts">
        {retry}
        <button
          type="button"
          className="btn sm quiet"
          onClick={() => void copyText(JSON.stringify(error, undefined, 2), 'Error')}
        >
          <Icon name="copy" size={12} />
          Copy error
        </button>
      </p>
    </div>
  );
};
