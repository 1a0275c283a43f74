import { useMay } from '../../../api/queries';
import { Icon } from '../../../ui/icon';
import { useBeginRun } from './use-begin-run';
import { useCurrentRun } from './use-run';

const Button = ({ node, text }: { node: string; text: string }) => {
  const { begin, isPending, dialog } = useBeginRun();
  const { isRunning } = useCurrentRun();
  return (
    <>
      <button
        type="button"
        className="btn sm"
        disabled={isPending || isRunning}
        onClick={() => begin({ mode: 'to', node })}
      >
        <Icon name="play" size={12} />
        {text}
      </button>
      {dialog}
    </>
  );
};

/** Runs the draft up to a node, for users who miss its data. */
export const RunToHere = (props: { node: string; text: string }) =>
  useMay('workflows:write') ? <Button {...props} /> : null;
