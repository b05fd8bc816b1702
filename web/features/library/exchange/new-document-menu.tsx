import { Camera, Download, FileUp, LayoutTemplate, Plus, Sigma } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '#web/ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '#web/ui/controls/menu.tsx';
import { isTyping } from '../toast-bar.tsx';
import { useExchange } from './exchange-host.tsx';

/** The menu of ways to add documents, and to export all of them. */
export function NewDocumentMenu() {
  const { chooseTemplate, importFiles, exportAll } = useExchange();
  const navigate = useNavigate();
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== 'n' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      if (document.querySelector('[role=dialog],[role=alertdialog],[role=menu]')) return;
      event.preventDefault();
      chooseTemplate();
    };
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, [chooseTemplate]);
  return (
    <>
      <Menu
        trigger={
          <Button variant="primary" size="small" icon={<Plus className="size-4" />}>
            New document
          </Button>
        }
      >
        {/* a frame later: the menu has restored the focus by then */}
        <MenuItem icon={<LayoutTemplate />} onSelect={() => requestAnimationFrame(chooseTemplate)}>
          Blank or from a template…
        </MenuItem>
        <MenuItem icon={<FileUp />} onSelect={() => picker.current?.click()}>
          Import .tex or .zip…
        </MenuItem>
        <MenuItem icon={<Camera />} onSelect={() => void navigate('/convert')}>
          Convert notes
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Sigma />} onSelect={() => void navigate('/account#preamble')}>
          Your macros and notation
        </MenuItem>
        <MenuItem icon={<Download />} onSelect={() => requestAnimationFrame(exportAll)}>
          Export everything…
        </MenuItem>
      </Menu>
      <input
        ref={picker}
        type="file"
        multiple
        accept=".tex,.ltx,.latex,.zip,application/zip,application/x-tex,text/x-tex"
        aria-label="Files to import"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // allows choosing the same file again
          event.target.value = '';
          if (files.length > 0) importFiles(files);
        }}
      />
    </>
  );
}
