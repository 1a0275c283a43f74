import type { NodeRun } from '@weft/client';
import { formatBytes, formatDuration } from '../../../ui/format';
import { JsonTree } from '../../../ui/json-tree';
import { At } from '../../../ui/time';
import { memberOf } from '../execution-facts';

/** When a node run took place, and the hints that it left. */
export const Log = ({ run }: { run: NodeRun }) => {
  const { hints, startTime, executionTime, metadata } = {
    hints: run['hints'],
    startTime: run['startTime'],
    executionTime: run['executionTime'],
    metadata: run['metadata'],
  };
  return (
    <>
      <dl className="factlist">
        {typeof startTime === 'number' && (
          <div>
            <dt>Started</dt>
            <dd>
              <At at={new Date(startTime).toISOString()} />
            </dd>
          </div>
        )}
        {typeof executionTime === 'number' && (
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
      {Array.isArray(hints) && hints.length > 0 ? (
        <ul className="hints">
          {hints.slice(0, 100).map((hint: unknown, at) => (
            <li key={at}>{String(memberOf(hint, 'message') ?? JSON.stringify(hint))}</li>
          ))}
        </ul>
      ) : (
        <p className="soft">The node logged nothing.</p>
      )}
      {metadata !== undefined && <JsonTree value={metadata} label="Metadata" />}
    </>
  );
};
