import type { KindDescriptor, NodeDefinition } from '@weft/node-catalogue/definitions';
import { versionOf } from '@weft/node-catalogue/definitions';

/** What a node does, and how it differs from what users of other products know. */
export const About = ({ node, kind }: { node: NodeDefinition; kind: KindDescriptor | undefined }) => (
  <>
    {kind !== undefined && <p>{kind.description}</p>}
    {(kind?.differs ?? []).length > 0 && (
      <>
        <h2>Differences from n8n</h2>
        <ul className="bullets">
          {kind?.differs?.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </>
    )}
    <dl className="factlist">
      <div>
        <dt>Type</dt>
        <dd>
          <code>{node.type}</code>
        </dd>
      </div>
      {kind !== undefined && (
        <div>
          <dt>Version</dt>
          <dd>
            {versionOf(node, kind)}
            {kind.versions.at(-1) !== versionOf(node, kind) && ` (newest: ${kind.versions.at(-1)})`}
          </dd>
        </div>
      )}
      <div>
        <dt>Id</dt>
        <dd>
          <code>{node.id}</code>
        </dd>
      </div>
    </dl>
  </>
);
