import {
  Activity,
  ArrowDownToLine,
  Ban,
  Bell,
  Box,
  Braces,
  Calendar,
  Check,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronUp,
  CircleCheck,
  CircleDashed,
  CircleQuestionMark,
  Clock,
  CodeXml,
  Copy,
  Ellipsis,
  FileText,
  FolderClosed,
  Gauge,
  GitBranch,
  Globe,
  Hourglass,
  House,
  Inbox,
  KeyRound,
  ListTree,
  Loader,
  Lock,
  LogOut,
  Maximize,
  Minus,
  OctagonX,
  Pencil,
  Pin,
  Play,
  Plus,
  Redo2,
  RotateCw,
  ScrollText,
  Search,
  Settings,
  ShieldAlert,
  Split,
  Table2,
  Trash2,
  TriangleAlert,
  Undo2,
  Unplug,
  Upload,
  Users,
  Variable,
  Webhook,
  WandSparkles,
  Workflow,
  X,
  Zap,
  type LucideIcon,
} from 'lucide-react';

const ICONS = {
  alert: TriangleAlert,
  back: ChevronLeft,
  bell: Bell,
  ban: Ban,
  box: Box,
  braces: Braces,
  calendar: Calendar,
  check: Check,
  clock: Clock,
  close: X,
  code: CodeXml,
  copy: Copy,
  down: ChevronDown,
  download: ArrowDownToLine,
  file: FileText,
  fit: Maximize,
  folder: FolderClosed,
  gauge: Gauge,
  git: GitBranch,
  globe: Globe,
  help: CircleQuestionMark,
  home: House,
  inbox: Inbox,
  key: KeyRound,
  lock: Lock,
  minus: Minus,
  more: Ellipsis,
  next: ChevronRight,
  offline: Unplug,
  outline: ListTree,
  pen: Pencil,
  pin: Pin,
  play: Play,
  plus: Plus,
  redo: Redo2,
  retry: RotateCw,
  runs: Activity,
  scroll: ScrollText,
  search: Search,
  settings: Settings,
  shield: ShieldAlert,
  signOut: LogOut,
  split: Split,
  table: Table2,
  tidy: WandSparkles,
  trash: Trash2,
  up: ChevronUp,
  undo: Undo2,
  upload: Upload,
  users: Users,
  variable: Variable,
  webhook: Webhook,
  workflow: Workflow,
  zap: Zap,
  // states
  error: OctagonX,
  neutral: CircleDashed,
  running: Loader,
  success: CircleCheck,
  waiting: Hourglass,
} satisfies Record<string, LucideIcon>;

export type IconName = keyof typeof ICONS;

/** An icon next to a word that says the same, so it is hidden from screen readers. */
export const Icon = ({ name, size = 16, spin = false }: { name: IconName; size?: 12 | 16 | 20; spin?: boolean }) => {
  const Shape = ICONS[name];
  return (
    <Shape
      className={`i${size === 16 ? '' : ` i-${size}`}${spin ? ' spin' : ''}`}
      size={size}
      strokeWidth={1.75}
      aria-hidden="true"
    />
  );
};

/** The mark of the product. */
export const Logo = () => (
  <svg className="i i-20 logo" viewBox="0 0 16 16" aria-hidden="true">
    <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" strokeWidth="1.4" />
    <path d="M5 2.5v2M5 8v3.5M8 4.5V8M8 11.5v2M11 2.5v2M11 8v3.5" strokeWidth="2.4" />
  </svg>
);
