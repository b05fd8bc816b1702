import { useLocation, useParams, useSearchParams } from 'react-router';
import { DocumentScreen } from '#web/features/document/document-screen.tsx';
import { AccountArea } from '../header/account-area.tsx';
import { ThemeToggle } from '../header/header.tsx';
import { SiteFrame } from '../site-frame.tsx';

export function meta() {
  return [{ title: 'Document · Inkproof' }, { name: 'robots', content: 'noindex' }];
}

export default function DocumentRoute() {
  const { documentId = '' } = useParams();
  const [query] = useSearchParams();
  const { pathname } = useLocation();
  return (
    <DocumentScreen
      documentId={documentId}
      line={readLine(query.get('line'))}
      file={query.get('file')}
      site={
        <>
          <ThemeToggle />
          <AccountArea />
        </>
      }
      frame={(content) => (
        <SiteFrame isWide={false} place={pathname}>
          {content}
        </SiteFrame>
      )}
    />
  );
}

function readLine(text: string | null): number | null {
  const line = Number(text);
  return Number.isSafeInteger(line) && line > 0 ? line : null;
}
