import { useQuery } from '@tanstack/react-query';
import { previewScheduleQuery, slowPollMs } from '../../../api/queries';
import { useEditor } from '../editor-context';
import { RegistrationFacts, RegistrationState } from '../tabs/registrations';

/** At the form of a trigger of an app: whether its service calls the saved workflow. */
export const RegistrationSection = ({ name }: { name: string }) => {
  const { workflowId } = useEditor();
  const query = useQuery({ ...previewScheduleQuery(workflowId), refetchInterval: slowPollMs });
  const registration = query.data?.registrations.find((one) => one.node === name);
  if (registration === undefined) return null;
  return (
    <section className="listen regs" aria-label="Registration">
      <RegistrationState registration={registration} />
      <RegistrationFacts registration={registration} />
    </section>
  );
};
