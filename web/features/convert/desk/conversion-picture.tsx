import { ImageIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { PageState } from '#shared/api/conversion.ts';
import { findPageImage } from '../run/page-images.ts';
import type { SourceHandle } from '../tray/open-source.ts';
import { PagePicture } from '../tray/page-picture.tsx';
import type { TrayItem, TraySource } from '../tray/tray-state.ts';

/** What this browser can draw of a page: the tray's source, while it still has it. */
export interface LocalPage {
  item: TrayItem;
  source: TraySource;
  handle: SourceHandle | null;
}

interface ConversionPictureProps {
  conversionId: string | null;
  number: number;
  state: PageState;
  local: LocalPage | null;
  maxWidth: number;
  maxHeight: number;
  label: string;
}

/** A page of a conversion: as straightened by the server, or as drawn by the browser until then. */
export function ConversionPicture(props: ConversionPictureProps) {
  const { conversionId, number, state, local, maxWidth, maxHeight, label } = props;
  const [address, setAddress] = useState<string | null>(null);

  useEffect(() => {
    if (conversionId === null || state === 'waiting' || state === 'reading') return;
    let isUnmounted = false;
    let made: string | null = null;
    void findPageImage(conversionId, number).then((blob) => {
      if (isUnmounted || blob === null) return;
      made = URL.createObjectURL(blob);
      setAddress(made);
    });
    return () => {
      isUnmounted = true;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [conversionId, number, state]);

  if (address !== null)
    return (
      <img
        src={address}
        alt={label}
        className="block h-auto bg-white"
        style={{ maxWidth: `min(100%, ${maxWidth}px)`, maxHeight, width: 'auto' }}
      />
    );
  if (local?.handle)
    return (
      <PagePicture
        handle={local.handle}
        pageIndex={local.item.pageIndex}
        rotation={local.item.rotation}
        maxWidth={maxWidth}
        maxHeight={maxHeight}
        label={label}
      />
    );
  const isLarge = maxWidth > 200;
  return (
    <span
      className="grid aspect-[1/1.414] max-w-full place-items-center bg-page"
      style={{ width: isLarge ? Math.min(maxWidth * 0.85, 420) : maxWidth, maxHeight }}
    >
      <span className="grid justify-items-center gap-2 p-2 text-center text-xs text-graphite">
        <ImageIcon className="size-5" aria-hidden="true" />
        {isLarge && (
          <span>{state === 'waiting' || state === 'reading' ? 'Shown once it is read' : label}</span>
        )}
        {!isLarge && label && <span className="sr-only">{label}</span>}
      </span>
    </span>
  );
}
