import { cn } from '../../../ui/cn.ts';
import { Loading } from '../../../ui/controls/loading.tsx';
import { Pane, PaneTitle } from '../../../ui/pane.tsx';

/** The borders between the desk's panes. */
export const paneEdges = 'border-hairline lg:border-r';

/** The desk's three panes side by side; stacked on a phone. `isBeside`: source and page share the right one. */
export function deskGrid(isSideBySide = false): string {
  return cn(
    'flex flex-col lg:grid lg:h-[calc(100dvh-var(--header))] lg:min-h-[32rem] lg:grid-rows-[minmax(0,1fr)]',
    isSideBySide
      ? 'lg:grid-cols-[12.5rem_minmax(0,1fr)] 2xl:grid-cols-[12.5rem_minmax(0,1fr)_minmax(0,2.4fr)]'
      : 'lg:grid-cols-[12.5rem_minmax(0,1fr)_minmax(0,1.15fr)]',
  );
}

/** Placeholder for the desk while its content is loading. */
export function DeskFrame() {
  return (
    <div className={deskGrid()}>
      <FramePane label="Pages" className={paneEdges} bodyClassName="max-lg:h-52" />
      <FramePane label="Ink" className={cn(paneEdges, 'max-lg:hidden')} bodyClassName="bg-paper-deep" />
      <PrintFrame />
    </div>
  );
}

/** Placeholder for the right pane while its content is loading. */
export function PrintFrame() {
  return (
    <Pane
      label="LaTeX and PDF"
      header={<PaneTitle>LaTeX and PDF</PaneTitle>}
      className="max-lg:min-h-[50dvh]"
    >
      <Loading />
    </Pane>
  );
}

function FramePane({ label, ...classes }: { label: string; className: string; bodyClassName: string }) {
  return (
    <Pane label={label} header={<PaneTitle>{label}</PaneTitle>} {...classes}>
      {null}
    </Pane>
  );
}
