import type { SessionOutcome } from '@weft/engine/preview/session';
import { use, useEffect, useState } from 'react';
import { PreviewContext } from './preview-context';

/** The outcome of a preview with the text that it belongs to. */
export interface PreviewOf {
  readonly text: string;
  readonly outcome: SessionOutcome;
}

/** An expression that is being typed is rarely complete: syntax errors are shown once the typing stops. */
const SYNTAX_ERROR_MS = 600;

const delayOf = ({ kind, ...outcome }: SessionOutcome): number =>
  kind === 'error' && 'type' in outcome && outcome.type === 'syntax' ? SYNTAX_ERROR_MS : 0;

/** Previews the expression of a field; the last outcome stays until the next one is there. */
export const usePreview = (key: string, text: string): PreviewOf | undefined => {
  const preview = use(PreviewContext);
  const [shown, setShown] = useState<PreviewOf>();
  const { session, place, revision, remember } = preview ?? {};
  useEffect(() => {
    if (session === undefined || place === undefined) return undefined;
    let isCurrent = true;
    let timer: number | undefined;
    void session.evaluate(key, text, place).then((outcome) => {
      if (!isCurrent || outcome === undefined) return;
      remember?.(key, outcome.kind === 'value' ? outcome.value.json : undefined);
      const delay = delayOf(outcome);
      if (delay === 0) return setShown({ text, outcome });
      timer = window.setTimeout(() => setShown({ text, outcome }), delay);
    });
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
  }, [session, place, revision, remember, key, text]);
  return shown;
};
