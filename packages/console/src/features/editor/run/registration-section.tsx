import type { NodeDefinition } from '@weft/node-catalogue/definitions';
import { useQuery } from '@tanstack/react-query';
import { previewScheduleQuery, slowPollMs } from '../../../api/queries';
import { useEditor } from '../editor-context';
import { RegistrationFacts, RegistrationState } from '../tabs/registrations';

/** At the form of a trigger of an app: whether its service calls the saved workflow. */
export const RegistrationSection = ({ node: { name, type } }: { node: NodeDefinition }) => {
  const { workflowId, kinds } = useEditor();
  const kind = kinds.get(type) ?? kinds.get(type.split('.').at(-1) ?? '');
  const query = useQuery({
    ...previewScheduleQuery(workflowId),
    enabled: kind?.isTrigger === true,
    refetchInterval: slowPollMs,
  });
  const registration = query.data?.registrations.find((one) => one.node === name);
  if (registration === undefined) return null;
  return (
    <section className="listen regs" aria-label="Registration">
      <RegistrationState registration={registration} />
      <RegistrationFacts registration={registration} />
    </section>
  );
};
