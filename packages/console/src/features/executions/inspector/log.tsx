import type { NodeRun } from '@weft/client';
import { formatBytes, formatDuration } from '../../../ui/values/format';
import { JsonTree } from '../../../ui/values/json-tree';
import { At } from '../../../ui/values/time';

/** When a node run took place, and the hints that it left. */
export const Log = ({ run }: { run: NodeRun }) => {
  const { hints = [], startTime, executionTime, metadata } = run;
  return (
    <>
      <dl className="factlist">
        {startTime !== undefined && (
          <div>
            <dt>Started</dt>
            <dd>
              <At at={new Date(startTime).toISOString()} />
            </dd>
          </div>
        )}
        {executionTime !== undefined && (
          <div>
            <dt>Took</dt>
            <dd>{formatDuration(executionTime)}</dd>
          </div>
        )}
        <div>
          <dt>Position</dt>
          <dd>{run.executionIndex + 1} of all node runs</dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd>{formatBytes(run.bytes)}</dd>
        </div>
      </dl>
      {hints.length > 0 ? (
        <ul className="hints">
          {hints.slice(0, 100).map((hint, at) => (
            <li key={at}>{String(hint['message'] ?? JSON.stringify(hint))}</li>
          ))}
        </ul>
      ) : (
        <p className="soft">The node logged nothing.</p>
      )}
      {metadata !== undefined && <JsonTree value={metadata} label="Metadata" />}
    </>
  );
};
