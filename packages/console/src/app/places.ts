import { useQuery } from '@tanstack/react-query';
import { callerQuery } from '../api/queries';
import type { IconName } from '../ui/icon';

/** A screen of the navigation. */
export interface Place {
  readonly to:
    | '/'
    | '/executions'
    | '/schedules'
    | '/deliveries'
    | '/workflows'
    | '/credentials'
    | '/variables'
    | '/tables'
    | '/projects'
    | '/subscriptions'
    | '/apps'
    | '/people'
    | '/keys'
    | '/audit'
    | '/status';
  readonly label: string;
  readonly icon: IconName;
  /** Permission without which the screen shows nothing; absent: everyone has it. */
  readonly needs?: string;
}

/** Screens under a heading. */
export interface PlaceGroup {
  readonly title: string;
  readonly places: readonly Place[];
}

export const OVERVIEW: Place = { to: '/', label: 'Overview', icon: 'home' };
export const EXECUTIONS: Place = { to: '/executions', label: 'Executions', icon: 'runs' };
export const WORKFLOWS: Place = { to: '/workflows', label: 'Workflows', icon: 'workflow' };

const GROUPS: readonly PlaceGroup[] = [
  {
    title: 'Operate',
    places: [
      OVERVIEW,
      EXECUTIONS,
      { to: '/schedules', label: 'Schedules', icon: 'calendar', needs: 'workflows:read' },
      { to: '/deliveries', label: 'Deliveries', icon: 'inbox', needs: 'executions:read' },
    ],
  },
  {
    title: 'Build',
    places: [
      WORKFLOWS,
      { to: '/credentials', label: 'Credentials', icon: 'key', needs: 'credentials:read' },
      { to: '/variables', label: 'Variables', icon: 'variable', needs: 'workflows:read' },
      { to: '/tables', label: 'Data tables', icon: 'table', needs: 'workflows:read' },
    ],
  },
  {
    title: 'Manage',
    places: [
      { to: '/projects', label: 'Projects', icon: 'folder' },
      { to: '/subscriptions', label: 'Subscriptions', icon: 'bell', needs: 'executions:read' },
      { to: '/apps', label: 'Apps', icon: 'box', needs: 'workflows:read' },
      { to: '/people', label: 'People', icon: 'users', needs: 'users:manage' },
      { to: '/keys', label: 'API keys', icon: 'lock', needs: 'keys:own' },
      { to: '/audit', label: 'Audit log', icon: 'scroll', needs: 'audit:read' },
      { to: '/status', label: 'Status', icon: 'gauge', needs: 'audit:read' },
    ],
  },
];

/** The screens that the caller may open. */
export const usePlaces = (): readonly PlaceGroup[] => {
  const permissions = useQuery(callerQuery).data?.permissions ?? [];
  return GROUPS.map(({ title, places }) => ({
    title,
    places: places.filter(({ needs }) => needs === undefined || permissions.includes(needs)),
  }));
};
