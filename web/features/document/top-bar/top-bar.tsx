import { ArrowLeft, Download, Share2, Star } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { cn } from '#web/ui/cn.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import type { SaverState } from '../unsent/saver.ts';
import type { FactsControl } from '../use-document-facts.ts';
import { SaveLine } from './save-line.tsx';
import { TitleField } from './title-field.tsx';

interface TopBarProps {
  facts: FactsControl;
  saving: SaverState | null;
  onShare: () => void;
  onExport: () => void;
  /** Chooses the visible panes. */
  layout: ReactNode;
  /** The drawers' buttons. */
  drawers: ReactNode;
  more: ReactNode;
  /** The site's controls: account, light or dark. */
  site: ReactNode;
}

/** The editor's toolbar. */
export function TopBar({ facts, saving, onShare, onExport, layout, drawers, more, site }: TopBarProps) {
  const { isStarred, folderId } = facts;
  return (
    <header className="flex h-13 shrink-0 items-center gap-1 border-b border-hairline bg-paper pr-2 pl-1">
      <Link
        to={folderAddress(folderId)}
        aria-label={folderId === null ? 'Back to my documents' : 'Back to its folder'}
        title={folderId === null ? 'Back to my documents' : 'Back to its folder'}
        className="grid size-10 shrink-0 pointer-coarse:size-11 place-items-center rounded-md text-graphite transition-colors duration-150 hover:bg-wash hover:text-ink"
      >
        <ArrowLeft className="size-4" aria-hidden="true" />
      </Link>
      <div className="flex min-w-0 flex-1 items-center gap-x-2 max-md:flex-col max-md:items-start">
        <TitleField title={facts.title} onRename={facts.rename} />
        <div className="max-md:-mt-1 max-md:px-1.5">
          <SaveLine state={saving} />
        </div>
      </div>
      {layout}
      <IconButton
        label={isStarred ? 'Remove the star' : 'Star'}
        aria-pressed={isStarred}
        onClick={() => facts.star(!isStarred)}
        className="max-md:hidden"
      >
        <Star className={cn(isStarred && 'fill-current text-ink')} />
      </IconButton>
      <IconButton label="Share" onClick={onShare} className="max-md:hidden">
        <Share2 />
      </IconButton>
      {drawers}
      <IconButton label="Export" onClick={onExport} className="max-md:hidden">
        <Download />
      </IconButton>
      {more}
      <span aria-hidden="true" className="mx-1 h-5 w-px bg-hairline max-md:hidden" />
      <div className="flex items-center max-md:hidden">{site}</div>
    </header>
  );
}

export function folderAddress(folderId: string | null): string {
  return folderId === null ? '/documents' : `/documents/folders/${folderId}`;
}
