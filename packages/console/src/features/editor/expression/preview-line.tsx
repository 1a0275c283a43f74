import type { SessionOutcome } from '@weft/engine/preview/session';
import { type Fix, replaceRange, suggestFix } from '@weft/workflow-edit/form';
import { useEffect, useState } from 'react';
import { Icon } from '../../../ui/icon';
import type { PreviewOf } from './use-preview';

const LATER = {
  data: 'Shown after a run: it reads more data than a preview loads.',
  time: 'Shown after a run: it takes too long for a preview.',
  unavailable: 'No preview: the data of this execution could not be read.',
} as const;

/** What the line says, and how to repair what is wrong. */
interface Said {
  readonly tone: 'success' | 'error' | 'neutral' | 'waiting';
  readonly text: string;
  readonly isCode: boolean;
  readonly question?: string;
  readonly fix?: Fix | undefined;
}

const saidOf = (text: string, outcome: SessionOutcome, names: readonly string[], hasItem: boolean): Said => {
  switch (outcome.kind) {
    case 'later':
      return { tone: 'neutral', text: LATER[outcome.why], isCode: false };
    case 'error': {
      const fix = suggestFix(text, outcome, names);
      const isName = outcome.type === 'node_not_found';
      const what = isName ? `No node is named “${outcome.node ?? ''}”.` : sentence(outcome.message);
      const more = isName || outcome.description === undefined ? '' : ` ${sentence(outcome.description)}`;
      return {
        tone: 'error',
        text: what + more,
        isCode: false,
        ...(fix === undefined ? {} : { fix, question: isName ? 'Did you mean' : '' }),
      };
    }
    case 'value': {
      const { value, missing } = outcome;
      if (!hasItem && (value.type === 'undefined' || missing !== undefined))
        return { tone: 'neutral', text: 'Shown after a run: there is no input item yet.', isCode: false };
      if (value.type !== 'undefined' && missing === undefined)
        return { tone: 'success', text: value.text === '' ? '(empty text)' : value.text, isCode: value.text !== '' };
      if (missing === undefined) return { tone: 'waiting', text: 'No value for this item.', isCode: false };
      const { name, meant, start, end } = missing;
      const fix =
        meant === undefined || !NAME.test(meant)
          ? undefined
          : { label: meant, text: replaceRange(text, start, end, meant) };
      return {
        tone: 'waiting',
        text:
          value.text === '' ? `This item has no field “${name}”.` : `${value.text}: this item has no field “${name}”.`,
        isCode: false,
        ...(fix === undefined ? {} : { fix, question: 'Did you mean' }),
      };
    }
  }
};

const NAME = /^[A-Za-z_$][\w$]*$/;

const sentence = (text: string): string => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
};

/** A text for screen readers that changes at most once a second. */
const useCalm = (text: string): string => {
  const [shown, setShown] = useState('');
  useEffect(() => {
    const timer = window.setTimeout(() => setShown(text), 1_000);
    return () => window.clearTimeout(timer);
  }, [text]);
  return shown;
};

const Calm = ({ text }: { text: string }) => (
  <span className="sr" role="status">
    {useCalm(text)}
  </span>
);

const ICONS = { success: 'success', error: 'error', neutral: 'clock', waiting: 'alert' } as const;

/** The value of an expression for the selected item, or the reason why it has no value. */
export const PreviewLine = ({
  preview,
  names,
  hasItem = true,
  repair,
}: {
  preview: PreviewOf | undefined;
  /** Names of the nodes of the workflow. */
  names: readonly string[];
  /** False while the node has no input item whose fields could be missing. */
  hasItem?: boolean;
  /** Replaces the expression; absent where it cannot be edited, or is not the previewed one any more. */
  repair?: ((text: string) => void) | undefined;
}) => {
  if (preview === undefined) return <p className="res" />;
  const { tone, text: said, isCode, question = '', fix } = saidOf(preview.text, preview.outcome, names, hasItem);
  return (
    <p className={`res${tone === 'error' ? ' bad' : ''}`} data-preview={tone}>
      <span className={`st ${tone}`}>
        <Icon name={ICONS[tone]} size={12} />
      </span>
      {isCode ? <code title={said}>{said}</code> : <span className="said">{said}</span>}
      {fix !== undefined && repair !== undefined && (
        <span>
          {question}{' '}
          <button type="button" className="lnk" onClick={() => repair(fix.text)}>
            {fix.label}
          </button>
          {question === '' ? '' : '?'}
        </span>
      )}
      <Calm text={`${tone === 'success' ? 'Result' : ''} ${said}`} />
    </p>
  );
};
