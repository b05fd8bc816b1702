import { Button } from '#web/ui/controls/button.tsx';

interface GoogleButtonProps {
  isBusy: boolean;
  isDisabled: boolean;
  onClick: () => void;
}

/** Google's sign-in button, with its logo in its own colours as its terms require. */
export function GoogleButton({ isBusy, isDisabled, onClick }: GoogleButtonProps) {
  return (
    <>
      <Button
        className="h-11 w-full"
        isBusy={isBusy}
        disabled={isDisabled}
        onClick={onClick}
        icon={<GoogleMark />}
      >
        Continue with Google
      </Button>
      <div className="flex items-center gap-3 text-[0.8125rem] text-graphite" aria-hidden="true">
        <span className="h-px flex-1 bg-hairline" />
        or by e-mail
        <span className="h-px flex-1 bg-hairline" />
      </div>
    </>
  );
}

/** A ring in four colours, open at the upper right, with a bar to its centre. */
function GoogleMark() {
  return (
    <svg viewBox="0 0 48 48" className="size-[1.125rem]" fill="none" strokeWidth="9" aria-hidden="true">
      <path stroke="#EA4335" d={arc(207, 316)} />
      <path stroke="#FBBC05" d={arc(153, 207)} />
      <path stroke="#34A853" d={arc(48, 153)} />
      <path stroke="#4285F4" d={`${arc(0, 48)} M24 24H46.5`} />
    </svg>
  );
}

/** Part of the ring, in degrees clockwise from three o'clock. */
function arc(from: number, to: number): string {
  const at = (degrees: number) => {
    const angle = (degrees * Math.PI) / 180;
    return `${(24 + 18.5 * Math.cos(angle)).toFixed(2)} ${(24 + 18.5 * Math.sin(angle)).toFixed(2)}`;
  };
  return `M${at(from)} A18.5 18.5 0 0 1 ${at(to)}`;
}
