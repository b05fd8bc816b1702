import { Copy, Download, Ellipsis, Share2, Star, StarOff, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Engine, engineNames } from '#shared/api/engine.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#web/ui/controls/menu.tsx';
import type { FactsControl } from '../use-document-facts.ts';

interface MoreMenuProps {
  facts: FactsControl;
  onShare: () => void;
  onExport: () => void;
  onDuplicate: () => void;
  onTrash: () => void;
  /** Items that have buttons of their own if there is room. */
  children: ReactNode;
}

const engines = [
  { value: 'any' as const, label: 'As set in the document' },
  ...Engine.options.map((value) => ({ value, label: engineNames[value] })),
];

/** The less frequent actions on a document. */
export function MoreMenu({ facts, onShare, onExport, onDuplicate, onTrash, children }: MoreMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton label="More">
          <Ellipsis />
        </IconButton>
      }
    >
      <div className="contents md:hidden">
        <MenuItem
          icon={facts.isStarred ? <StarOff /> : <Star />}
          onSelect={() => facts.star(!facts.isStarred)}
        >
          {facts.isStarred ? 'Remove the star' : 'Star'}
        </MenuItem>
        <MenuItem icon={<Share2 />} onSelect={onShare}>
          Share
        </MenuItem>
        <MenuItem icon={<Download />} onSelect={onExport}>
          Export
        </MenuItem>
        {children}
        <MenuSeparator />
      </div>
      <MenuItem icon={<Copy />} onSelect={onDuplicate}>
        Duplicate
      </MenuItem>
      {facts.trashedAt === null && (
        <MenuItem icon={<Trash2 />} onSelect={onTrash}>
          Move to the trash
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuChoice
        label="Compile with"
        value={facts.engine ?? 'any'}
        options={engines}
        onChange={(engine) => facts.chooseEngine(engine === 'any' ? null : (engine satisfies Engine))}
      />
    </Menu>
  );
}
