import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useOwners } from '../api/owners';
import { Picker } from '../ui/picker';
import { useStore } from '../ui/store';
import { currentProject, isFiltered } from './project';

/** Chooses the project that the lists of the navigation show; absent without a project. */
export const ProjectSwitcher = () => {
  const { all } = useOwners();
  const project = useStore(currentProject);
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location: { pathname } }) => pathname });
  if (all.length < 2) return null;
  return (
    <div className="switcher">
      <Picker
        label="Project of the lists"
        all="All projects"
        value={all.some(([id]) => id === project) ? project : undefined}
        choices={all}
        change={(next) => {
          currentProject.set(next);
          if (isFiltered(path)) void navigate({ to: path, search: next === undefined ? {} : { project: next } });
        }}
      />
    </div>
  );
};
