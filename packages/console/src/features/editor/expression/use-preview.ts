import type { SessionOutcome } from '@weft/engine/preview/session';
import { use, useEffect, useState } from 'react';
import { PreviewContext } from './preview-context';

/** The outcome of a preview with the text that it belongs to. */
export interface PreviewOf {
  readonly text: string;
  readonly outcome: SessionOutcome;
}

/** Previews the expression of a field; the last outcome stays until the next one is there. */
export const usePreview = (key: string, text: string): PreviewOf | undefined => {
  const preview = use(PreviewContext);
  const [shown, setShown] = useState<PreviewOf>();
  const { session, place, revision, remember } = preview ?? {};
  useEffect(() => {
    if (session === undefined || place === undefined) return undefined;
    let isCurrent = true;
    void session.evaluate(key, text, place).then((outcome) => {
      if (!isCurrent || outcome === undefined) return;
      remember?.(key, outcome.kind === 'value' ? outcome.value.json : undefined);
      setShown({ text, outcome });
    });
    return () => {
      isCurrent = false;
    };
  }, [session, place, revision, remember, key, text]);
  return shown;
};
