import { Download, ExternalLink, FileArchive, FileText, Plus, Sigma } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import type { ErrorObject } from '#shared/api/errors.ts';
import { type DoubtForm, doubtForms } from '#shared/api/exchange.ts';
import { readPdf } from '#web/lib/pdf/pdf-address.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Spinner } from '#web/ui/controls/loading.tsx';
import { MenuChoice, MenuItem } from '#web/ui/controls/menu.tsx';
import { describeDoubtForm, doubtChoices } from '#web/ui/doubt-forms.ts';
import type { ConverterState } from '../run/converter-state.ts';
import { useConfig } from '../use-config.ts';
import { markResult } from './mark-result.ts';
import { downloadLatex, downloadPdf, downloadZip, openInOnlineEditor } from './take-away.ts';

interface DownloadMenuProps {
  state: ConverterState;
  onNew: () => void;
  onFail: (error: ErrorObject) => void;
}

/** Downloads and other ways to take the result elsewhere. */
export function DownloadMenu({ state, onNew, onFail }: DownloadMenuProps) {
  const config = useConfig();
  const { documentName, latex, pdfUrl, figures, spots, unmarkedPdfUrl } = state;
  const source = latex ?? '';
  const [doubts, setDoubts] = useState<DoubtForm>(doubtForms[0]);
  const [isBusy, setIsBusy] = useState(false);
  /** The watermark is in the PDF that is shown: another one would lack it. */
  const hasWatermark = unmarkedPdfUrl !== null;

  const handleDownload = async (kind: 'pdf' | 'tex' | 'zip') => {
    const shown = pdfUrl === null ? null : readPdf(pdfUrl);
    if (kind === 'pdf' && (doubts !== 'colour' || hasWatermark)) {
      if (shown) downloadPdf(documentName, shown);
      return;
    }
    setIsBusy(true);
    const marked = await markResult({ latex: source, figures, spots }, doubts);
    setIsBusy(false);
    const pdf = (hasWatermark ? null : marked.pdf) ?? shown;
    if (kind === 'tex') downloadLatex(documentName, marked.latex);
    else if (kind === 'zip') await downloadZip({ documentName, latex: marked.latex, pdf, figures });
    else if (marked.error) onFail(marked.error);
    else if (pdf) downloadPdf(documentName, pdf);
  };

  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        aria-busy={isBusy || undefined}
        className={buttonClass({ variant: 'quiet', size: 'small' })}
      >
        {isBusy ? <Spinner className="size-4" /> : <Download className="size-4" aria-hidden="true" />}
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
          <MenuItem
            icon={<FileText />}
            disabled={pdfUrl === null}
            onSelect={() => void handleDownload('pdf')}
          >
            PDF
          </MenuItem>
          <MenuItem icon={<Sigma />} onSelect={() => void handleDownload('tex')}>
            LaTeX source
          </MenuItem>
          <MenuItem icon={<FileArchive />} onSelect={() => void handleDownload('zip')}>
            {figures.length > 0 ? 'Everything, with figures' : 'Everything as a zip'}
          </MenuItem>
          {spots.length > 0 && (
            <>
              <DropdownMenu.Separator className="my-1.5 h-px bg-hairline" />
              <MenuChoice
                label={spots.length === 1 ? '1 spot to check' : `${spots.length} spots to check`}
                value={doubts}
                options={doubtChoices.map(({ form, label }) => ({ value: form, label }))}
                onChange={setDoubts}
                isKeptOpen
              />
              <p className="max-w-56 px-2.5 pb-1 text-xs text-graphite">
                {doubts === 'colour' && hasWatermark
                  ? 'The PDF with the watermark stays without colour.'
                  : describeDoubtForm[doubts]}
              </p>
            </>
          )}
          <DropdownMenu.Separator className="my-1.5 h-px bg-hairline" />
          <MenuItem
            icon={<ExternalLink />}
            disabled={config === null}
            onSelect={() => config && openInOnlineEditor(config.online_editor_url, source)}
          >
            Open in online editor
          </MenuItem>
          {figures.length > 0 && (
            <p className="max-w-56 px-2.5 pb-1 text-xs text-graphite">
              The online editor gets the source without its{' '}
              {figures.length === 1 ? 'figure' : `${figures.length} figures`}.
            </p>
          )}
          <DropdownMenu.Separator className="my-1.5 h-px bg-hairline" />
          <MenuItem icon={<Plus />} onSelect={onNew}>
            New conversion
          </MenuItem>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
