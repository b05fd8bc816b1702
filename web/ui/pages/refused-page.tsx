/** Shown in place of something that could not be opened. */
import { Link } from 'react-router';
import { Button, buttonClass } from '../controls/button.tsx';
import { MessagePage } from './message-page.tsx';

/** A document that is deleted or belongs to somebody else; which of the two is not revealed. */
export function NoSuchDocument() {
  return (
    <MessagePage title="There is no such document">
      <p>
        It has been deleted for good, or belongs to a different account from the one you are logged in with.
      </p>
      <Link to="/documents" className={buttonClass({ variant: 'primary' })}>
        My documents
      </Link>
    </MessagePage>
  );
}

interface NotOpenedProps {
  title: string;
  /** The reason, shown to the user. */
  text: string;
  onAgain: () => void;
}

export function NotOpened({ title, text, onAgain }: NotOpenedProps) {
  return (
    <MessagePage title={title}>
      <p>{text}</p>
      <Button variant="primary" onClick={onAgain}>
        Try again
      </Button>
    </MessagePage>
  );
}
