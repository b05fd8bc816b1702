import { Camera, Download, FileUp, LayoutTemplate, Plus, Sigma } from 'lucide-react';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '#web/ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '#web/ui/controls/menu.tsx';
import { isTyping } from '../toast-bar.tsx';
import { useExchange } from './exchange-host.tsx';

/** The menu of ways to add documents, and to export all of them. */
export function NewDocumentMenu() {
  const { chooseTemplate, chooseImport, exportAll } = useExchange();
  const navigate = useNavigate();
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
      <MenuItem icon={<FileUp />} onSelect={chooseImport}>
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
  );
}
