import { useEffect, useState } from 'react';
import { getIdentityConfig, type IdentityConfig } from '#web/lib/session/identity-config.ts';

/** This installation's account settings; null until known. */
export function useIdentityConfig(): IdentityConfig | null {
  const [config, setConfig] = useState<IdentityConfig | null>(null);
  useEffect(() => {
    getIdentityConfig().then(setConfig, () => undefined);
  }, []);
  return config;
}
