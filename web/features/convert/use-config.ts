import { useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '#shared/api/documents.ts';
import { getConfig } from './run/conversion-api.ts';

/** This installation's public settings; null until loaded. */
export function useConfig(): PublicConfig | null {
  const { data } = useQuery({ queryKey: ['config'], queryFn: getConfig });
  return data?.ok ? data.data : null;
}
