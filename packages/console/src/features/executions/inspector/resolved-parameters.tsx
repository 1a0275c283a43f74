import type { Execution, NodeRun, NodeType } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import type { PreviewPlace } from '@weft/engine/preview/session';
import { useMemo } from 'react';
import { versionQuery } from '../../../api/queries';
import { upstreamRunsQuery } from '../../../api/run-queries';
import { formatCount } from '../../../ui/values/format';
import { isRecord } from '../../../ui/values/json';
import { JsonTree } from '../../../ui/values/json-tree';
import { Loading } from '../../../ui/states';
import { previewRunsOf, subNodesOf, withSources } from '../../editor/data/preview-runs';
import { PreviewContext } from '../../editor/expression/preview-context';
import { PreviewLine } from '../../editor/expression/preview-line';
import { usePreview } from '../../editor/expression/use-preview';
import { usePreviewExecution, usePreviewOf } from '../../editor/expression/use-preview-of';
import type { Graph } from '../../graph/definition';
import type { NodeRunRow } from '../run-model';
import { ItemSteps } from './steps';

/** Expressions of one node that are resolved. */
const MAX_EXPRESSIONS = 100;
const NO_KINDS: ReadonlyMap<string, NodeType> = new Map();

interface FoundExpression {
  readonly key: string;
  readonly text: string;
  /** The name that the entry around it has, such as that of a field to set. */
  readonly name: string | undefined;
}

/** The expressions of parameters, in their order. */
const expressionsOf = (value: unknown, key = '', name?: string): readonly FoundExpression[] => {
  if (typeof value === 'string')
    return value.startsWith('=') && value.includes('{{') ? [{ key, text: value, name }] : [];
  if (Array.isArray(value)) return value.flatMap((entry, at) => expressionsOf(entry, `${key}[${at}]`));
  if (!isRecord(value)) return [];
  const given = value['name'];
  const inner = typeof given === 'string' && given !== '' && !given.startsWith('=') ? given : undefined;
  return Object.entries(value).flatMap(([member, entry]) =>
    expressionsOf(entry, key === '' ? member : `${key}.${member}`, inner),
  );
};

const Row = ({ found: { key, text, name } }: { found: FoundExpression }) => (
  <div className="resolved">
    <dt>{name === undefined ? <code>{key}</code> : <b title={key}>{name.slice(0, 200)}</b>}</dt>
    <dd>
      <code className="faint clip" title={text}>
        {text.slice(1)}
      </code>
      <PreviewLine preview={usePreview(key, text)} names={NO_NAMES} />
    </dd>
  </div>
);

const NO_NAMES: readonly string[] = [];

interface ResolvedProps {
  readonly execution: Execution;
  readonly name: string;
  readonly parameters: unknown;
  readonly run: NodeRun;
  readonly rows: readonly NodeRunRow[];
  readonly graph: Graph | undefined;
  readonly types: ReadonlyMap<string, NodeType> | undefined;
  /** Number of the item, and of all input items. */
  readonly item: number;
  readonly total: number;
  readonly choose: (item: number) => void;
}

/** The parameters of the version that ran, and the values of their expressions for one item. */
export const ResolvedParameters = ({
  execution,
  name,
  parameters,
  run,
  rows,
  graph,
  types,
  item,
  total,
  choose,
}: ResolvedProps) => {
  const { id, workflowId, versionId = '', mode, customData } = execution;
  const version = useQuery({ ...versionQuery(workflowId, versionId), enabled: versionId !== '' });
  const origin = useMemo(() => [run.executionIndex], [run.executionIndex]);
  const records = useQuery(
    upstreamRunsQuery(
      id,
      origin,
      (node, at) => rows.find((row) => row.node === node && row.run === at)?.executionIndex,
    ),
  );
  const subNodes = useMemo(() => subNodesOf(graph?.nodes ?? [], types), [graph, types]);
  const runs = useMemo(
    () => withSources(previewRunsOf(rows, subNodes), records.data ?? []),
    [rows, subNodes, records.data],
  );
  const shown = usePreviewExecution({ workflowId, executionId: id, mode, customData, runs });
  const isReady = records.data !== undefined && version.data !== undefined;
  const place = useMemo(
    (): PreviewPlace | undefined =>
      isReady ? { node: name, sources: run.source ?? [], run: run.run, item } : undefined,
    [isReady, name, run.source, run.run, item],
  );
  const text = useMemo(() => JSON.stringify(version.data?.definition ?? { nodes: [] }), [version.data]);
  const preview = usePreviewOf({ text, kinds: types ?? NO_KINDS, execution: shown, place, hasItem: total > 0 });
  const found = useMemo(() => expressionsOf(parameters).slice(0, MAX_EXPRESSIONS), [parameters]);
  return (
    <>
      {found.length > 0 && (
        <section className="insection" aria-label="Expressions">
          <div className="itembar">
            <span className="soft">Values of its expressions for item</span>
            <ItemSteps at={item} count={total} go={choose}>
              <b className="num">{formatCount(item + 1)}</b>
              <span className="faint num">of {formatCount(Math.max(total, item + 1))}</span>
            </ItemSteps>
          </div>
          <p className="faint">Evaluated again over the stored data.</p>
          {isReady ? (
            <PreviewContext value={preview}>
              <dl>
                {found.map((one) => (
                  <Row key={one.key} found={one} />
                ))}
              </dl>
            </PreviewContext>
          ) : (
            <Loading rows={2} label="Loading the data of the run" />
          )}
        </section>
      )}
      <p className="soft">All parameters of the version that ran:</p>
      <JsonTree value={parameters} label="Parameters" />
    </>
  );
};
