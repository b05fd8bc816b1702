import { useParams } from 'react-router';
import { SharedScreen } from '#web/features/viewer/shared-screen.tsx';

export function meta() {
  return [
    { title: 'Shared document · Inkproof' },
    { name: 'robots', content: 'noindex, nofollow' },
    { name: 'referrer', content: 'no-referrer' },
  ];
}

export default function SharedRoute() {
  const { token = '' } = useParams();
  return <SharedScreen key={token} token={token} />;
}
