import { Download, FileText, Sigma } from 'lucide-react';
import { saveBlob } from '#web/lib/save-blob.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';

interface DownloadMenuProps {
  title: string;
  getText: () => string;
  /** The PDF that is shown; null when there is none. */
  pdf: Uint8Array<ArrayBuffer> | null;
}

/** Takes the document elsewhere. */
export function DownloadMenu({ title, getText, pdf }: DownloadMenuProps) {
  const name = nameFile(title);
  return (
    <Menu
      trigger={
        <IconButton label="Download">
          <Download />
        </IconButton>
      }
    >
      <MenuItem
        icon={<FileText />}
        disabled={pdf === null}
        onSelect={() => pdf && saveBlob(new Blob([pdf], { type: 'application/pdf' }), `${name}.pdf`)}
      >
        PDF
      </MenuItem>
      <MenuItem
        icon={<Sigma />}
        onSelect={() => saveBlob(new Blob([getText()], { type: 'application/x-tex' }), `${name}.tex`)}
      >
        LaTeX source
      </MenuItem>
    </Menu>
  );
}

/** A file's name after a title: without what file systems refuse. */
function nameFile(title: string): string {
  const plain = title.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim();
  return plain.replace(/^\.+/, '') || 'document';
}
