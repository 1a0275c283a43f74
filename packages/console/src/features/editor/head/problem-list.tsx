import { plural } from '../../../ui/values/format';
import { Icon } from '../../../ui/icon';
import { MenuButton } from '../../../ui/overlays/menu';
import { useEditor } from '../editor-context';
import type { Problem } from '../problems';
import { shownPath } from '../shown-value';

const textOf = (problem: Problem): string =>
  [problem.node, shownPath(problem.path), problem.message]
    .filter((part) => part !== undefined && part !== '')
    .join(': ');

/** Number of problems; its menu opens the nodes that have them. */
export const ProblemMenu = () => {
  const { problems, open } = useEditor();
  if (problems.length === 0) return null;
  const errors = problems.filter(({ tone }) => tone === 'error').length;
  const entries = problems.map((problem, at) => ({
    label: `${at + 1}. ${textOf(problem)}`,
    isDisabled: problem.node === undefined,
    act: () => open(problem.node),
  }));
  return (
    <MenuButton className={`btn quiet ed-problems ${errors > 0 ? 'error' : 'waiting'}`} entries={entries}>
      <Icon name={errors > 0 ? 'error' : 'alert'} />
      {errors > 0 ? plural(errors, 'problem') : plural(problems.length, 'warning')}
    </MenuButton>
  );
};

/** Problems of a node, above its form. */
export const NodeProblems = ({ name }: { name: string }) => {
  const own = useEditor().problems.filter(({ node }) => node === name);
  if (own.length === 0) return null;
  return (
    <ul className="ed-nodeproblems" aria-label="Problems">
      {own.map((problem, at) => (
        <li key={at} className={`st wraps ${problem.tone === 'error' ? 'error' : 'waiting'}`}>
          <Icon name={problem.tone === 'error' ? 'error' : 'alert'} />
          <span>
            {shownPath(problem.path) !== '' && <code>{shownPath(problem.path)}: </code>}
            {problem.message}
          </span>
        </li>
      ))}
    </ul>
  );
};
