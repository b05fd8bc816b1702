import { Download, ExternalLink, FileArchive, FileText, Plus, Sigma } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { buttonClass } from '#web/ui/controls/button.tsx';
import type { ConverterState } from '../run/converter-state.ts';
import { useConfig } from '../use-config.ts';
import { downloadLatex, downloadPdf, downloadZip, openInOnlineEditor } from './take-away.ts';

/** Downloads and other ways to take the result elsewhere. */
export function DownloadMenu({ state, onNew }: { state: ConverterState; onNew: () => void }) {
  const config = useConfig();
  const { documentName, latex, pdfUrl, figures } = state;
  const source = latex ?? '';
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className={buttonClass({ variant: 'quiet', size: 'small' })}>
        <Download className="size-4" aria-hidden="true" />
        {/* next to the source's own buttons there may be no room for it */}
        <span className="@max-2xl/bar:group-data-[tab=latex]/bar:sr-only @max-2xl/bar:group-data-crowded/bar:sr-only max-sm:sr-only">
          Download
        </span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="z-40 min-w-60 animate-appear rounded-xl border border-hairline bg-page p-1.5 shadow-lg"
        >
          <Item
            icon={<FileText />}
            disabled={pdfUrl === null}
            onSelect={() => pdfUrl && downloadPdf(documentName, pdfUrl)}
          >
            PDF
          </Item>
          <Item icon={<Sigma />} onSelect={() => downloadLatex(documentName, source)}>
            LaTeX source
          </Item>
          <Item
            icon={<FileArchive />}
            onSelect={() => void downloadZip({ documentName, latex: source, pdfUrl, figures })}
          >
            {figures.length > 0 ? 'Everything, with figures' : 'Everything as a zip'}
          </Item>
          <DropdownMenu.Separator className="my-1.5 h-px bg-hairline" />
          <Item
            icon={<ExternalLink />}
            disabled={config === null}
            onSelect={() => config && openInOnlineEditor(config.online_editor_url, source)}
          >
            Open in online editor
          </Item>
          {figures.length > 0 && (
            <p className="max-w-56 px-3 pb-1 text-xs text-graphite">
              The online editor gets the source without its{' '}
              {figures.length === 1 ? 'figure' : `${figures.length} figures`}.
            </p>
          )}
          <DropdownMenu.Separator className="my-1.5 h-px bg-hairline" />
          <Item icon={<Plus />} onSelect={onNew}>
            New conversion
          </Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Item({ icon, children, ...props }: ComponentProps<typeof DropdownMenu.Item> & { icon: ReactNode }) {
  return (
    <DropdownMenu.Item
      {...props}
      className="flex min-h-10 cursor-default pointer-coarse:min-h-11 items-center gap-3 rounded-md px-3 text-sm outline-none select-none data-disabled:text-graphite data-highlighted:bg-wash [&_svg]:size-4 [&_svg]:text-graphite"
    >
      {icon}
      {children}
    </DropdownMenu.Item>
  );
}
