import { Check, Code, FileArchive, FileText, FileType2, Hash, Sigma } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { type DoubtForm, doubtForms, type ExportFormat } from '#shared/api/exchange.ts';
import { cn } from '../cn.ts';
import { Spinner } from '../controls/loading.tsx';
import { Select } from '../controls/select.tsx';
import { describeDoubtForm, doubtChoices } from '../doubt-forms.ts';
import { Notice } from '../notice.tsx';
import { Dialog } from './dialog.tsx';

interface Form {
  format: ExportFormat;
  label: string;
  description: string;
  icon: ReactNode;
}

const forms: readonly Form[] = [
  { format: 'pdf', label: 'PDF', description: 'The typeset pages', icon: <FileText /> },
  { format: 'tex', label: 'LaTeX', description: 'Only the source', icon: <Sigma /> },
  {
    format: 'zip',
    label: 'LaTeX with figures',
    description: 'A zip that compiles anywhere with latexmk',
    icon: <FileArchive />,
  },
  {
    format: 'docx',
    label: 'Word',
    description: 'With equations that Word can edit',
    icon: <FileType2 />,
  },
  { format: 'html', label: 'Web page', description: 'One HTML file, formulas as MathML', icon: <Code /> },
  {
    format: 'markdown',
    label: 'Markdown',
    description: 'Formulas between dollar signs',
    icon: <Hash />,
  },
];

type Progress =
  | { kind: 'idle' }
  | { kind: 'busy' | 'done'; format: ExportFormat }
  | { kind: 'failed'; text: string };

interface ExportDialogProps {
  /** The document's title. */
  title: string;
  isOpen: boolean;
  /** Readings that nobody has checked yet. */
  doubtCount: number;
  onClose: () => void;
  /** Creates the file and saves it to the browser's downloads. Rejects only when the signal is aborted. */
  onExport: (
    form: { format: ExportFormat; doubts: DoubtForm },
    signal: AbortSignal,
  ) => Promise<{ ok: true } | { ok: false; text: string }>;
}

/** The export formats; each file is created when its format is chosen. */
export function ExportDialog({ title, isOpen, onClose, ...forms }: ExportDialogProps) {
  return (
    <Dialog isOpen={isOpen} title="Export" description={<Named title={title} />} onClose={onClose}>
      <Forms {...forms} />
    </Dialog>
  );
}

function Named({ title }: { title: string }) {
  return <span className="line-clamp-2 break-words">{title}</span>;
}

function Forms({ doubtCount, onExport }: Pick<ExportDialogProps, 'doubtCount' | 'onExport'>) {
  const id = useId();
  const [doubts, setDoubts] = useState<DoubtForm>(doubtForms[0]);
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' });
  const underWay = useRef<AbortController | null>(null);
  useEffect(() => () => underWay.current?.abort(), []);

  const handleChoose = async (format: ExportFormat) => {
    underWay.current?.abort();
    const controller = new AbortController();
    underWay.current = controller;
    setProgress({ kind: 'busy', format });
    try {
      const outcome = await onExport({ format, doubts }, controller.signal);
      setProgress(outcome.ok ? { kind: 'done', format } : { kind: 'failed', text: outcome.text });
    } catch {
      // another format was chosen, or the dialog was closed
    }
  };
  const chosen = progress.kind === 'busy' || progress.kind === 'done' ? progress.format : null;
  const label = forms.find(({ format }) => format === chosen)?.label;

  return (
    <>
      <ul className="-mx-3 grid gap-0.5">
        {forms.map((form) => (
          <li key={form.format}>
            <button
              type="button"
              onClick={() => void handleChoose(form.format)}
              aria-busy={(progress.kind === 'busy' && form.format === chosen) || undefined}
              className="flex min-h-14 w-full items-center gap-3.5 rounded-lg px-3 text-left transition-colors duration-150 hover:bg-wash"
            >
              <span
                className="grid size-5 shrink-0 place-items-center text-graphite [&_svg]:size-5"
                aria-hidden="true"
              >
                {form.icon}
              </span>
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{form.label}</span>
                <span className="block text-[0.8125rem] text-graphite">{form.description}</span>
              </span>
              <span className="grid size-5 shrink-0 place-items-center" aria-hidden="true">
                {form.format === chosen && progress.kind === 'busy' && <Spinner className="size-4" />}
                {form.format === chosen && progress.kind === 'done' && (
                  <Check className="size-4 text-green" />
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {doubtCount > 0 && (
        <div className="mt-3 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-t border-hairline pt-4">
          <label htmlFor={id} className="text-sm font-medium">
            {doubtCount === 1 ? '1 spot to check' : `${doubtCount} spots to check`}
          </label>
          <Select
            id={id}
            size="small"
            value={doubts}
            aria-describedby={`${id}-hint`}
            onChange={(event) => setDoubts(event.target.value as DoubtForm)}
          >
            {doubtChoices.map(({ form, label }) => (
              <option key={form} value={form}>
                {label}
              </option>
            ))}
          </Select>
          <p id={`${id}-hint`} className="col-span-2 text-[0.8125rem] text-graphite">
            {describeDoubtForm[doubts]}
          </p>
        </div>
      )}
      <p role="status" className={cn('text-[0.8125rem] text-graphite', chosen !== null && 'mt-4')}>
        {progress.kind === 'busy' && `Creating the ${label} file`}
        {progress.kind === 'done' && 'It is in your downloads folder.'}
      </p>
      {progress.kind === 'failed' && (
        <Notice tone="error" className="mt-4" title="This format could not be exported">
          {progress.text}
        </Notice>
      )}
    </>
  );
}
