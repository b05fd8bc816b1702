/** Names of this machine itself. */

/** @param hostname as in `URL.hostname`: lower case, an IPv6 address in brackets */
export function isLoopbackName(hostname: string): boolean {
  return /^(localhost|[a-z0-9-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
