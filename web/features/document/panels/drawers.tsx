import { History, Image, MessageSquareText } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { retryImport } from '#web/lib/retry-import.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { MenuItem } from '#web/ui/controls/menu.tsx';
import type { EditorHandle } from '../editor-handle.ts';
import { Drawer } from './drawer.tsx';

const HistoryDrawer = lazy(async () => ({
  default: (await retryImport(() => import('../history/history-drawer.tsx'))).HistoryDrawer,
}));

const AssistantPanel = lazy(async () => ({
  default: (await retryImport(() => import('../assistant/assistant-panel.tsx'))).AssistantPanel,
}));

export type DrawerName = 'assistant' | 'history' | 'figures';

const drawers: readonly { name: DrawerName; title: string; icon: ReactNode }[] = [
  { name: 'assistant', title: 'Assistant', icon: <MessageSquareText /> },
  { name: 'history', title: 'History', icon: <History /> },
  { name: 'figures', title: 'Figures', icon: <Image /> },
];

interface DrawerChoice {
  open: DrawerName | null;
  onToggle: (name: DrawerName) => void;
}

/** One button for each drawer, if there is room. */
export function DrawerButtons({ open, onToggle }: DrawerChoice) {
  return drawers.map(({ name, title, icon }) => (
    <IconButton
      key={name}
      label={title}
      aria-pressed={open === name}
      onClick={() => onToggle(name)}
      className="aria-pressed:bg-wash aria-pressed:text-ink max-md:hidden"
    >
      {icon}
    </IconButton>
  ));
}

/** The same as menu items. */
export function DrawerItems({ onToggle }: Pick<DrawerChoice, 'onToggle'>) {
  return drawers.map(({ name, title, icon }) => (
    <MenuItem key={name} icon={icon} onSelect={() => onToggle(name)}>
      {title}
    </MenuItem>
  ));
}

interface OpenDrawerProps {
  name: DrawerName | null;
  handle: EditorHandle;
  /** The newest version known to the page. */
  version: number;
  figures: ReactNode;
  onClose: () => void;
}

/** The open drawer. */
export function OpenDrawer({ name, handle, version, figures, onClose }: OpenDrawerProps) {
  const drawer = drawers.find((one) => one.name === name);
  if (!drawer) return null;
  return (
    <Drawer key={drawer.name} title={drawer.title} onClose={onClose}>
      <Suspense fallback={<Loading />}>
        {name === 'assistant' && <AssistantPanel handle={handle} onUncover={onClose} />}
        {name === 'history' && <HistoryDrawer handle={handle} version={version} />}
        {name === 'figures' && figures}
      </Suspense>
    </Drawer>
  );
}
