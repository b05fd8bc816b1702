import { useLocation, useParams } from 'react-router';
import { ViewerScreen } from '#web/features/viewer/viewer-screen.tsx';
import { SiteFrame } from '../site-frame.tsx';

export function meta() {
  return [{ title: 'PDF · Inkproof' }, { name: 'robots', content: 'noindex' }];
}

export default function DocumentPdfRoute() {
  const { documentId = '' } = useParams();
  const { pathname } = useLocation();
  return (
    <ViewerScreen
      // the key resets all state when another document is opened
      key={documentId}
      documentId={documentId}
      frame={(content) => (
        <SiteFrame isWide={false} place={pathname}>
          {content}
        </SiteFrame>
      )}
    />
  );
}
