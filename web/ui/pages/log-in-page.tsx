import { openAuthDialog } from '../../lib/auth-dialog.ts';
import { Button } from '../controls/button.tsx';
import { MessagePage } from './message-page.tsx';

/** Shown to visitors in place of a screen that needs an account. */
export function LogInPage({ title, text }: { title: string; text: string }) {
  return (
    <MessagePage title={title}>
      <p>{text}</p>
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" size="large" onClick={() => openAuthDialog('login')}>
          Log In
        </Button>
        <Button size="large" onClick={() => openAuthDialog('signup')}>
          Sign Up
        </Button>
      </div>
    </MessagePage>
  );
}
