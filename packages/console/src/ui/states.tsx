import { WeftError } from '@weft/client';
import { type ReactNode, useEffect, useState } from 'react';
import { Icon, type IconName } from './icon';
import { CopyButton } from './values/copy';
import { errorText } from './values/format';

/** Becomes true after a delay, so that fast responses show no placeholder. */
const useAfter = (ms: number): boolean => {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setOver(true), ms);
    return () => window.clearTimeout(timer);
  }, [ms]);
  return isOver;
};

/** Grey lines in place of rows that are being loaded. */
export const Loading = ({ rows = 6, label = 'Loading' }: { rows?: number; label?: string }) => {
  const isShown = useAfter(200);
  return (
    <div role="status" className="skeleton" aria-busy="true">
      <span className="sr">{label}</span>
      {isShown &&
        Array.from({ length: rows }, (_, row) => (
          <div key={row} className="bones" aria-hidden="true">
            <span className={`bone w${row % 3}`} />
            <span className="bone short" />
          </div>
        ))}
    </div>
  );
};

/** A state of a page or panel: what is the case, and what to do next. */
export const PageState = ({
  icon,
  tone,
  title,
  children,
  actions,
  isPage = false,
}: {
  icon: IconName;
  tone: 'error' | 'waiting' | 'neutral' | 'running';
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** True if it stands in place of a page, whose title it shows then. */
  isPage?: boolean;
}) => (
  <div className="pagestate" role={tone === 'error' ? 'alert' : undefined}>
    <span className={`pico ${tone}`}>
      <Icon name={icon} size={20} />
    </span>
    {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
    {children !== undefined && <div className="soft">{children}</div>}
    {actions !== undefined && <div className="acts">{actions}</div>}
  </div>
);

/** Why an action failed. */
export const Failure = ({ error }: { error: unknown }) => (
  <p className="st error wraps" role="alert">
    <Icon name="error" />
    <span>
      {errorText(error)}
      {error instanceof WeftError && error.requestId !== undefined && (
        <span className="faint"> Request {error.requestId}</span>
      )}
    </span>
  </p>
);

/** Code and request id, which an operator finds in the logs. */
const ErrorFacts = ({ error }: { error: WeftError }) => {
  const facts = [error.reason ?? error.code, error.requestId].filter((fact) => fact !== undefined).join(' ');
  return <CopyButton text={facts} label="Copy the code and the id of the request" shown={facts} />;
};

/** Why something could not be shown: forbidden, gone or failed, each with what to do. */
export const ErrorState = ({
  error,
  retry,
  what,
  next,
  isPage = false,
}: {
  error: unknown;
  retry?: () => void;
  /** Names it, such as `this execution`. */
  what: string;
  /** Where to go if it is gone. */
  next?: ReactNode;
  /** True if it stands in place of a page. */
  isPage?: boolean;
}) => {
  const failure = error instanceof WeftError ? error : undefined;
  if (failure?.status === 403)
    return (
      <PageState isPage={isPage} icon="shield" tone="waiting" title={`You may not see ${what}`}>
        <p>{failure.message}</p>
        <p>An owner or admin of this instance can give you access.</p>
      </PageState>
    );
  if (failure?.status === 404)
    return (
      <PageState
        isPage={isPage}
        icon="trash"
        tone="neutral"
        title={`${what.charAt(0).toUpperCase()}${what.slice(1)} was not found`}
        actions={next}
      >
        <p>It was deleted, its retention ended, or the address is wrong.</p>
      </PageState>
    );
  return (
    <PageState
      isPage={isPage}
      icon="error"
      tone="error"
      title={failure?.status === 0 ? 'The server cannot be reached' : `Could not load ${what}`}
      actions={
        retry && (
          <button type="button" className="btn" onClick={retry}>
            <Icon name="retry" />
            Try again
          </button>
        )
      }
    >
      <p>{errorText(error)}</p>
      {failure !== undefined && failure.status > 0 && <ErrorFacts error={failure} />}
    </PageState>
  );
};
