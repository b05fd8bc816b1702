/**
 * The login and sign-up dialog (specification, sections 2 and 4). After a login it closes at once; after a
 * sign-up it says that a mail has been sent and closes after three seconds, unless the mail is requested again;
 * after a password mail it stays open. It also closes when the sign-in happens in another tab, through the link
 * in the confirmation mail.
 */
import { useEffect, useState } from 'react';
import { type AuthDialogState, type AuthMode, closeAuthDialog } from '#web/lib/auth-dialog.ts';
import { endSession } from '#web/lib/session/sign-out.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import { Dialog } from '#web/ui/dialogs/dialog.tsx';
import { CodeForm } from './code-form.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import { Mailed } from './mailed.tsx';
import { ResetForm } from './reset-form.tsx';
import { useIdentityConfig } from './use-identity-config.ts';

/** How long the confirmation of a sign-up is shown (specification, section 9), in ms. */
const signUpClosesMs = 3000;

type Step = AuthMode | 'mailed' | 'code';

const titles: Record<Step, string> = {
  login: 'Log In',
  signup: 'Sign Up',
  reset: 'Reset your password',
  mailed: 'Almost there',
  code: 'Your code',
};
const descriptions: Partial<Record<Step, string>> = {
  reset: 'We’ll send a link to your address. It opens a page where you choose a new password.',
  code: 'Enter the six digits that your authenticator app shows for Inkproof.',
};

export function AuthDialog({ mode, message, failure, isOpen }: AuthDialogState & { isOpen: boolean }) {
  const { state, needsCode } = useSession();
  const [step, setStep] = useState<Step>(needsCode ? 'code' : mode);
  const [hasMoved, setHasMoved] = useState(false);
  const [email, setEmail] = useState('');
  const config = useIdentityConfig();

  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (step !== 'mailed' || isHeld) return;
    const timer = setTimeout(() => closeAuthDialog({ isCancelled: false }), signUpClosesMs);
    return () => clearTimeout(timer);
  }, [step, isHeld]);

  useEffect(() => {
    if (isOpen && state === 'signed-in') closeAuthDialog({ isCancelled: false });
  }, [isOpen, state]);

  const handleClose = () => {
    // giving up the second step ends the session
    if (step === 'code') void endSession();
    closeAuthDialog({ isCancelled: step !== 'mailed' });
  };
  const handleMode = (next: AuthMode) => {
    setHasMoved(true);
    setStep(next);
  };
  const handleSignedIn = () => closeAuthDialog({ isCancelled: false });

  return (
    <Dialog isOpen={isOpen} title={titles[step]} description={descriptions[step]} onClose={handleClose}>
      {(step === 'login' || step === 'signup') && (
        <CredentialsForm
          mode={step}
          hasGoogle={config?.hasGoogle ?? false}
          email={email}
          onEmail={setEmail}
          message={message}
          failure={failure}
          isReturn={hasMoved}
          onMode={handleMode}
          onSignedIn={handleSignedIn}
          onNeedsCode={() => setStep('code')}
          onMailed={() => setStep('mailed')}
        />
      )}
      {step === 'reset' && (
        <ResetForm email={email} onEmail={setEmail} isInDialog onLogin={() => handleMode('login')} />
      )}
      {step === 'code' && <CodeForm onDone={handleSignedIn} />}
      {step === 'mailed' && <Mailed email={email.trim()} onHold={() => setIsHeld(true)} />}
    </Dialog>
  );
}
