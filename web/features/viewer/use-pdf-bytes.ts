import { useEffect, useState } from 'react';

/** The bytes of the newest PDF; the previous ones until they are loaded. */
export function usePdfBytes(pdf: Blob): Uint8Array<ArrayBuffer> | null {
  const [bytes, setBytes] = useState<Uint8Array<ArrayBuffer> | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void pdf.arrayBuffer().then((buffer) => {
      if (isCurrent) setBytes(new Uint8Array(buffer));
    });
    return () => {
      isCurrent = false;
    };
  }, [pdf]);
  return bytes;
}
